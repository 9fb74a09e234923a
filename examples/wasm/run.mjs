// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs the module of CMakeLists.txt: node run.mjs classes.wasm
import { readFile } from "node:fs/promises";

const bytes = await readFile(process.argv[2]);
const { instance } = await WebAssembly.instantiate(bytes, {});
const { exports } = instance;
exports._initialize();
const status = exports.open();
if (status !== 0)
  throw new Error(`cannot open the model: status ${status}`);
const input = new Float32Array(
  exports.memory.buffer, exports.get_input(), exports.get_input_size());
input.forEach((_, i) => (input[i] = Math.sin(i)));
const classes = exports.classify();
if (classes === 0)
  throw new Error("the chunk cannot be computed");
console.log(
  new Int32Array(exports.memory.buffer, classes, exports.get_rows()).join(" "));
