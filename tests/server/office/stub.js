// Stands in for Office's own script: as much of it as the functions and the pane use, in node and in a browser.
// `askCell` calls a function as Excel calls it, and gives back what the cell would hold.
(() => {
  const functions = {};

  class CustomFunctionError extends Error {
    constructor(code, message) {
      super(message ?? "");
      this.type = "Error";
      this.code = this.basicValue = code ?? "#VALUE!";
    }

    toJSON() {
      return { valueType: "CustomFunctionError", type: "Error", code: this.code, basicValue: this.code };
    }
  }

  globalThis.Office = {
    onReady: async (then) => then?.({ host: "Excel", platform: "Mac" }),
    context: { partitionKey: "partition:" },
  };
  globalThis.Excel = {
    CalculationType: { full: "Full" },
    run: async (work) => {
      const calculate = (kind) => (globalThis.calculated = kind);
      return work({ workbook: { application: { calculate } }, sync: async () => {} });
    },
  };
  globalThis.CustomFunctions = {
    associate: (name, call) => (functions[name] = call),
    Error: CustomFunctionError,
    // Excel takes these five from a function, and no #NAME? and no #REF!
    ErrorCode: {
      invalidValue: "#VALUE!",
      notAvailable: "#N/A",
      divisionByZero: "#DIV/0!",
      invalidNumber: "#NUM!",
      nullReference: "#NULL!",
    },
  };

  const shown = (value) =>
    value instanceof CustomFunctionError ? { code: value.code, told: value.message } : value;

  // What comes out of a cell that holds an error value is the object that Office makes of it.
  const inward = (value) => {
    if (Array.isArray(value)) return value.map(inward);
    return value?.code ? new CustomFunctionError(value.code) : value;
  };

  async function askCell({ name, values = [], address = "Sheet1!A1", from = [] }) {
    const invocation = { functionName: name, address, parameterAddresses: from };
    try {
      const rows = await functions[name](...inward(values), invocation);
      return rows.map((row) => row.map(shown));
    } catch (error) {
      return error instanceof CustomFunctionError ? [[shown(error)]] : `not Excel's error: ${error}`;
    }
  }

  // Steps follow one another; the cells of one step are calculated together.
  globalThis.calculate = async (steps) => {
    const found = [];
    for (const cells of steps) found.push(await Promise.all(cells.map(askCell)));
    return found;
  };
  globalThis.associated = () => Object.keys(functions);
})();
