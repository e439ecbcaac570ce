// Loads wheels into Python in WebAssembly, runs a program there and prints what it says.
// node ask.mjs FOLDER_OF_WHEELS PROGRAM, in a folder with the npm package pyodide.
import { loadPyodide } from 'pyodide';
import fs from 'node:fs';
import path from 'node:path';

const [wheels, program] = process.argv.slice(2);
const python = await loadPyodide({ env: { HOME: '/home/pyodide', TOKENSHEET_CONFIG: '/dev/null' } });
for (const name of fs.readdirSync(wheels)) {
  python.unpackArchive(new Uint8Array(fs.readFileSync(path.join(wheels, name))), 'wheel');
}
console.log(await python.runPythonAsync(fs.readFileSync(program, 'utf8')));
