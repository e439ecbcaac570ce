// Runs the page's script on entries that stand in for the page's, and says what each search leaves to be seen.
import { readFileSync } from "node:fs";
import vm from "node:vm";

const task = JSON.parse(readFileSync(0, "utf-8"));
const listeners = {};

const entries = task.entries.map(({ id, find, row, section }) => {
  const entry = { id, section, hidden: false, textContent: find.join("\n"), shown: 0 };
  entry.matches = () => row;
  entry.querySelectorAll = () => find.map((textContent) => ({ textContent }));
  entry.closest = () => (entry.hidden ? entry : null);
  entry.scrollIntoView = () => (entry.shown += 1);
  return entry;
});
const sections = [...new Set(task.entries.map((entry) => entry.section))].map((name) => ({
  name,
  hidden: false,
  querySelector: () => entries.find((entry) => entry.section === name && !entry.hidden) ?? null,
}));
const search = { value: "", addEventListener: (name, call) => (listeners[name] = call) };
const found = { textContent: "" };
const context = {
  document: {
    querySelectorAll: (selector) => (selector === ".entry" ? entries : sections),
    getElementById: (id) => ({ search, found })[id] ?? entries.find((entry) => entry.id === id) ?? null,
  },
  window: { addEventListener: (name, call) => (listeners[name] = call) },
  location: { hash: "" },
};
vm.runInNewContext(readFileSync(task.script, "utf-8"), context);

const seen = () => ({
  entries: entries.filter((entry) => !entry.hidden).map((entry) => entry.id),
  sections: sections.filter((section) => !section.hidden).map((section) => section.name),
  found: found.textContent,
});
const answers = task.searches.map((words) => {
  search.value = words;
  listeners.input();
  return seen();
});
context.location.hash = task.hash;
listeners.hashchange();
const followed = { ...seen(), value: search.value, shown: entries.filter((entry) => entry.shown).map((entry) => entry.id) };
console.log(JSON.stringify({ answers, followed }));
