// Opens the pane in a real Chromium, enters the token and calculates cells there, as Excel on the web would.
// node pane.mjs, in a folder with playwright-core; a task as JSON on standard input:
// { origin, token, wrong, steps, chromium, picture, elsewhere }; prints what it found.
import fs from "node:fs";
import http from "node:http";
import { createRequire } from "node:module";
import path from "node:path";

const { chromium } = createRequire(path.join(process.cwd(), "here.js"))("playwright-core");
const task = JSON.parse(fs.readFileSync(0, "utf8"));
const stub = fs.readFileSync(new URL("stub.js", import.meta.url), "utf8");
const browser = await chromium.launch({ executablePath: task.chromium, args: ["--no-sandbox"] });
const problems = [];
const asked = [];

async function pane() {
  const page = await (await browser.newContext({ viewport: { width: 360, height: 520 } })).newPage();
  page.on("pageerror", (error) => problems.push(String(error)));
  page.on("requestfailed", (request) => problems.push(`${request.url()} ${request.failure().errorText}`));
  page.on("request", (request) => asked.push(new URL(request.url()).host));
  await page.route("https://appsforoffice.microsoft.com/**", (route) =>
    route.fulfill({ contentType: "text/javascript", body: stub }),
  );
  await page.goto(`${task.origin}/taskpane.html`);
  return page;
}

const state = (page) => page.locator("#state").textContent();

async function enter(page, token) {
  await page.fill("#token", token);
  const answered = page.waitForResponse("**/answers");
  await page.click("#entry button");
  await answered;
  await page.waitForFunction(() => document.getElementById("state").textContent.length > 0);
  await page.waitForTimeout(100);
  return state(page);
}

// A page of another site that knows the token all the same.
async function foreign() {
  const server = http.createServer((_, response) => response.end("<title>elsewhere</title>"));
  await new Promise((resolve) => server.listen(task.elsewhere, "127.0.0.1", resolve));
  const page = await (await browser.newContext()).newPage();
  await page.goto(`http://127.0.0.1:${task.elsewhere}/`);
  const found = await page.evaluate(
    async ([origin, token]) => {
      const attempt = async (name, options) => {
        try {
          return (await (await fetch(`${origin}/${name}`, options)).text()).slice(0, 80);
        } catch (error) {
          return error.name;
        }
      };
      const headers = { Authorization: `Bearer ${token}`, "Content-Type": "application/json" };
      const body = '{"calls":[["KV_BYTES",["llama-2-70b",4096,8]]]}';
      return {
        answers: await attempt("answers", { method: "POST", headers, body }),
        simple: await attempt("answers", { method: "POST", body }),
        functions: await attempt("functions.json", {}),
      };
    },
    [task.origin, task.token],
  );
  server.close();
  return found;
}

const page = await pane();
const found = { first: await state(page) };
found.without = await page.evaluate((steps) => calculate(steps), task.steps.slice(0, 1));
found.wrong = await enter(page, task.wrong);
found.right = await enter(page, task.token);
found.field = await page.inputValue("#token");
found.cells = await page.evaluate((steps) => calculate(steps), task.steps);
await page.click("#again");
found.calculated = await page.evaluate(() => globalThis.calculated);
if (task.picture) await page.screenshot({ path: task.picture });
await page.reload();
await page.waitForResponse("**/answers");
await page.waitForTimeout(100);
found.reloaded = await state(page);
found.hosts = [...new Set(asked)];
found.foreign = await foreign();
found.problems = problems;
await browser.close();
console.log(JSON.stringify(found));
