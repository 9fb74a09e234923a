// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Uses a library in wrong ways, and prints what it says: errors.mjs LIBRARY
import { readFile } from "node:fs/promises";

import { importLibrary } from "./common.mjs";

const [path] = process.argv.slice(2);
const { load, supports, Nnet3Error } = await importLibrary(path);
const wasm = await readFile(path.replace(/mjs$/, "wasm"));
const weights = await readFile(path.replace(/mjs$/, "weights"));

async function attempt(name, action) {
  try {
    await action();
    console.log(`${name}: no error`);
  } catch (error) {
    const kind = error instanceof Nnet3Error ? "" : ` (${error.name})`;
    console.log(`${name}${kind}: ${error.message}`);
  }
}

const damaged = Uint8Array.from(weights);
damaged[10] ^= 1;
const longer = new Uint8Array(weights.length + 1);
await attempt("missing", () => load({ weights: path + ".no" }));
await attempt("no server", () => load({ weights: "http://127.0.0.1:9/net.weights" }));
await attempt("folder", () => load({ wasm: ".", weights }));
await attempt("short", () => load({ weights: weights.subarray(1) }));
await attempt("long", () => load({ weights: longer }));
await attempt("damaged", () => load({ weights: damaged }));
await attempt("no module", () => load({ wasm: weights }));
const empty = Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0);
await attempt("other module", () => load({ wasm: empty, weights }));
await attempt("pieces", () => load({ wasm, weights: new Blob([weights]).stream() }));

const model = await load({ wasm: await WebAssembly.compile(wasm), weights });
await attempt("request", () => model.createInstance("none"));
await attempt("stream", () => model.openStream());
const instance = model.createInstance(0);
await attempt("input", () => instance.getInput("none"));
await attempt("output", () => instance.getOutput("none"));
await attempt("dims", () => instance.run({ input: [1, 2] }));
await attempt("kind", () => model.createFeatures("plp"));
await attempt("option", () => model.createFeatures("mfcc", "--num-ceps=9999"));
await attempt("line", () => model.createFeatures("mfcc", "\n--no-such=1"));

const features = model.createFeatures();
for (const object of [instance, features]) {
  object.close();
  object.close();
}
await attempt("closed instance", () => instance.run());
await attempt("closed features", () => features.push(new Float32Array(1)));

const { validate } = WebAssembly;
WebAssembly.validate = () => false;
console.log(`simd128: ${supports("simd128")}, other: ${supports("other")}`);
await attempt("no SIMD", () => load());
WebAssembly.validate = validate;
console.log(`simd128: ${supports("simd128")}, other: ${supports("other")}`);
