// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs the first request of a library: run.mjs LIBRARY NAME=MATRIX...
import { readFile } from "node:fs/promises";

import { importLibrary, printMatrix, readMatrix } from "./common.mjs";

const [path, ...given] = process.argv.slice(2);
const { load } = await importLibrary(path);
const compiled = await WebAssembly.compile(
  await readFile(path.replace(/mjs$/, "wasm")));
console.log(`${WebAssembly.Module.imports(compiled).length} imports`);

const model = await load();
const [request] = model.requests;
const describe = ({ name, rows, cols, t }) =>
  `${name} ${rows} x ${cols}, t = ${t.join(" ")}`;
console.log(`network ${model.network} in ${model.precision}: ${request.name}`);
console.log(`takes ${request.inputs.map(describe)}`);
console.log(`gives ${request.outputs.map(describe)}`);
const instance = model.createInstance(request.name);
const inputs = {};
for (const text of given) {
  const [name, file] = text.split("=");
  inputs[name] = await readMatrix(file);
}
const outputs = instance.run(inputs);
for (const { name, cols } of request.outputs)
  printMatrix(outputs[name], cols);
instance.close();
model.close();
