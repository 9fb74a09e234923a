// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs libraries in WebAssembly for run_web.py: in a page, which calls runCase(),
// or in Node, where each line of the standard input is a case.

function decode(text) {
  const bytes = Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
  return new Float32Array(bytes.buffer);
}

function encode(values) {
  const { buffer, byteOffset, byteLength } = values;
  let text = "";
  for (const byte of new Uint8Array(buffer, byteOffset, byteLength))
    text += String.fromCharCode(byte);
  return btoa(text);
}

/** The outputs of the library's first request after so many runs; null if this
    host lacks instructions. `address` is that of its ES module; numbers are in
    base64. */
export async function runCase(address, inputs, times) {
  const { load, getMissing } = await import(address);
  if (getMissing().length > 0)
    return null;
  const model = await load();
  const instance = model.createInstance(0);
  const given = {};
  for (const { name } of model.requests[0].inputs)
    given[name] = decode(inputs[name]);
  let outputs;
  for (let i = 0; i < times; ++i)
    outputs = instance.run(given);
  const texts = Object.entries(outputs).map(
    ([name, values]) => [name, encode(values)]);
  instance.close();
  model.close();
  return Object.fromEntries(texts);
}

if (typeof process === "object") {
  const { createInterface } = await import("node:readline");
  for await (const line of createInterface({ input: process.stdin })) {
    let answer;
    try {
      answer = { outputs: await runCase(...JSON.parse(line)) };
    } catch (error) {
      answer = { error: String(error.stack) };
    }
    process.stdout.write(JSON.stringify(answer) + "\n");
  }
}
