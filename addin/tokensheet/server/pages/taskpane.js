// The pane beside the sheet: takes the token, tries it, and calculates the workbook again.
"use strict";
Office.onReady(() => {
  const state = document.getElementById("state");
  const token = document.getElementById("token");

  function tell(text, wrong) {
    state.textContent = text;
    state.className = wrong ? "wrong" : "";
  }

  async function attempt() {
    const [[found]] = await Tokensheet.ask("TS_VERSION", []);
    tell(found.error ? found.reason : `${found} answers`, Boolean(found.error));
  }

  document.getElementById("entry").addEventListener("submit", (event) => {
    event.preventDefault();
    try {
      Tokensheet.setToken(token.value);
    } catch (error) {
      tell(`this browser keeps nothing: ${error.message}`, true);
      return;
    }
    token.value = "";
    attempt();
  });

  document.getElementById("again").addEventListener("click", async () => {
    try {
      await Excel.run(async (context) => {
        context.workbook.application.calculate(Excel.CalculationType.full);
        await context.sync();
      });
    } catch (error) {
      tell(error.message, true);
    }
  });

  if (Tokensheet.token()) attempt();
  else tell("Enter the token that your administrator gave you.", false);
});
