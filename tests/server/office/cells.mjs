// Runs the functions' script in node, as Excel's shared runtime does, against a server on this machine.
// node cells.mjs, a task as JSON on standard input: { origin, token, steps, script }; prints what it found.
import fs from "node:fs";
import vm from "node:vm";

const task = JSON.parse(fs.readFileSync(0, "utf8"));
const kept = new Map(task.token ? [["partition:tokensheet.token", task.token]] : []);
globalThis.location = { href: `${task.origin}/taskpane.html` };
globalThis.localStorage = {
  getItem: (key) => kept.get(key) ?? null,
  setItem: (key, value) => kept.set(key, value),
};

const requests = [];
const fetched = globalThis.fetch;
globalThis.fetch = async (address, options) => {
  requests.push({ address: String(address), calls: JSON.parse(options.body).calls.length });
  return fetched(address, options);
};

const read = async (name) => (await fetched(`${task.origin}/${name}`)).text();
vm.runInThisContext(fs.readFileSync(new URL("stub.js", import.meta.url), "utf8"), "stub.js");
const script = task.script ? fs.readFileSync(task.script, "utf8") : await read("functions.js");
vm.runInThisContext(script, "functions.js");
const start = performance.now();
const found = await calculate(task.steps);
console.log(
  JSON.stringify({
    found,
    requests,
    functions: associated(),
    milliseconds: performance.now() - start,
  }),
);
