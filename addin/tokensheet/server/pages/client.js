// The functions in Excel: the questions of cells go to the server, many in one request.
// Above this line stands the table TOKENSHEET: the functions by name, and what one request may hold.
(() => {
  "use strict";
  const CODES = {
    "#N/A": "notAvailable",
    "#VALUE!": "invalidValue",
    "#NUM!": "invalidNumber",
    "#DIV/0!": "divisionByZero",
    "#NULL!": "nullReference",
  };
  const TOLD = ["#N/A", "#VALUE!"]; // error values that Excel shows a text of ours with
  const GATHERING = 10; // milliseconds in which questions gather for one request
  const AT_ONCE = 4; // requests
  const BUSY = 503;
  const PAUSES = [500, 1500]; // milliseconds before a busy or silent server is asked again
  const MORE_TIME = 10; // seconds beyond those that the server itself takes at most
  const MOST_REASONS = 10000;
  const NO_REASON = "no reason is kept for this cell; calculate it again";
  const NO_TOKEN = "no token; open the Tokensheet pane and enter the one that your administrator gave you";
  const PLACE = "tokensheet.token";

  // ---- the token, kept in this browser for this server only

  // Excel on the web may serve several sites from one browser; the key keeps them apart.
  const place = () => `${globalThis.Office?.context?.partitionKey ?? ""}${PLACE}`;

  function token() {
    try {
      return localStorage.getItem(place()) ?? "";
    } catch {
      return ""; // a browser that stores nothing
    }
  }

  function setToken(text) {
    localStorage.setItem(place(), text.trim());
  }

  // ---- requests

  const waiting = [];
  const encoder = new TextEncoder();
  let gathering = null;
  let running = 0;

  const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));
  const failed = (reason) => [[{ error: "#VALUE!", reason }]];

  // JSON has no word for these, and null would be an empty cell.
  const finite = (_, value) =>
    typeof value === "number" && !Number.isFinite(value) ? { type: "Error", basicValue: "#NUM!" } : value;

  function ask(name, values) {
    const text = JSON.stringify([name, values], finite);
    const bytes = encoder.encode(text).length + 1;
    if (bytes > TOKENSHEET.bytes) {
      return Promise.resolve(
        failed(`${name}: ${bytes} bytes of arguments; the server takes ${TOKENSHEET.bytes}, give fewer cells`),
      );
    }
    return new Promise((resolve) => {
      waiting.push({ text, bytes, resolve });
      gathering ??= setTimeout(pump, GATHERING);
    });
  }

  function pump() {
    gathering = null;
    while (running < AT_ONCE && waiting.length > 0) {
      running += 1;
      deliver(next()).finally(() => {
        running -= 1;
        pump();
      });
    }
  }

  // As many questions as one request may hold.
  function next() {
    let count = 0;
    for (let bytes = 0; count < Math.min(waiting.length, TOKENSHEET.calls); count += 1) {
      bytes += waiting[count].bytes;
      if (bytes > TOKENSHEET.bytes) break;
    }
    return waiting.splice(0, count);
  }

  async function deliver(questions) {
    let answers;
    try {
      answers = await send(`{"calls":[${questions.map((question) => question.text).join(",")}]}`);
      if (answers.length !== questions.length) throw new Error("the server's answers are not those asked for");
    } catch (error) {
      answers = questions.map(() => failed(error.message));
    }
    questions.forEach((question, i) => question.resolve(answers[i]));
  }

  async function send(body) {
    const secret = token();
    if (!secret) throw new Error(NO_TOKEN);
    const address = new URL("answers", globalThis.location.href);
    const seconds = TOKENSHEET.seconds + MORE_TIME;
    let problem = "";
    for (const wait of [0, ...PAUSES]) {
      await pause(wait);
      const stop = new AbortController();
      const late = setTimeout(() => stop.abort(), seconds * 1000);
      let response;
      try {
        response = await fetch(address, {
          method: "POST",
          headers: { Authorization: `Bearer ${secret}`, "Content-Type": "application/json" },
          body,
          cache: "no-store",
          credentials: "omit",
          redirect: "error",
          signal: stop.signal,
        });
        if (response.ok) return (await response.json()).answers;
      } catch (error) {
        if (stop.signal.aborted) throw new Error(`no answer from ${address.origin} within ${seconds} s`);
        problem = `no answer from ${address.origin}: ${error.message}`;
        continue;
      } finally {
        clearTimeout(late);
      }
      problem = await said(response);
      if (response.status !== BUSY) break;
    }
    throw new Error(problem);
  }

  async function said(response) {
    try {
      return String((await response.json()).problem);
    } catch {
      return `the server answered ${response.status}`;
    }
  }

  // ---- reasons of error values, for WHY(B2)

  const kept = new Map(); // place of a cell → its error value and reason
  const owned = new Map(); // place of a formula → places of the cells that its answer failed in

  function spot(address) {
    const cut = (address ?? "").lastIndexOf("!");
    const found = /^\$?([A-Z]+)\$?(\d+)/.exec((address ?? "").slice(cut + 1));
    if (!found) return null;
    const sheet = address.slice(0, Math.max(cut, 0)).replace(/^'|'$/g, "").replace(/''/g, "'");
    return {
      sheet: sheet.replace(/^\[[^\]]*\]/, ""),
      row: Number(found[2]),
      column: [...found[1]].reduce((number, letter) => number * 26 + letter.charCodeAt(0) - 64, 0),
    };
  }

  const key = ({ sheet, row, column }, down = 0, right = 0) => `${sheet}!${row + down},${column + right}`;

  function keep(address, rows) {
    const first = spot(address);
    if (!first) return;
    for (const place of owned.get(key(first)) ?? []) kept.delete(place);
    owned.delete(key(first));
    if (kept.size >= MOST_REASONS) {
      kept.clear();
      owned.clear();
    }
    const places = [];
    rows.forEach((row, down) =>
      row.forEach((value, right) => {
        if (!isFailure(value) || places.length >= MOST_REASONS) return;
        places.push(key(first, down, right));
        kept.set(places.at(-1), value);
      }),
    );
    if (places.length > 0) owned.set(key(first), places);
  }

  // Whether WHY is asked about a cell, not about a function's name and its arguments.
  function aboutCell(values, address) {
    const first = values[0]?.[0]?.[0];
    return values.length === 1 && spot(address) !== null && (typeof first !== "string" || first === "");
  }

  function reasonOf(value, address) {
    if (value?.type !== "Error") return "";
    const found = kept.get(key(spot(address)));
    return found && shown(found.error) === value.basicValue ? found.reason : NO_REASON;
  }

  // ---- cells

  const isFailure = (value) => typeof value === "object" && value !== null && "error" in value;

  // Excel takes no #NAME? and no #REF! from a function.
  const shown = (code) => (code in CODES ? code : "#VALUE!");

  function errorValue({ error, reason }) {
    const code = CustomFunctions.ErrorCode[CODES[shown(error)]];
    return TOLD.includes(shown(error))
      ? new CustomFunctions.Error(code, reason)
      : new CustomFunctions.Error(code);
  }

  // `fixed` is the number of arguments before one that repeats; null where none does.
  async function answer(name, fixed, given) {
    const invocation = given.pop();
    const values = fixed === null ? given : [...given.slice(0, fixed), ...(given[fixed] ?? [])];
    const target = invocation?.parameterAddresses?.[0];
    if (name === "WHY" && aboutCell(values, target)) return [[reasonOf(values[0]?.[0]?.[0], target)]];
    const rows = await ask(name, values);
    keep(invocation?.address, rows);
    if (rows.length === 1 && rows[0].length === 1 && isFailure(rows[0][0])) throw errorValue(rows[0][0]);
    return rows.map((row) => row.map((value) => (isFailure(value) ? errorValue(value) : value)));
  }

  for (const [name, fixed] of Object.entries(TOKENSHEET.functions)) {
    CustomFunctions.associate(name, (...given) => answer(name, fixed, given));
  }
  globalThis.Tokensheet = { ask, setToken, token };
})();
