// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Times libraries in WebAssembly for compare.py: in a page, which calls these
// functions, or in Node, where each line of the standard input is a call.

const opened = new Map();

/** Times one run, in ms; of so many runs the shortest. */
export async function measure(address, runs) {
  if (!opened.has(address)) {
    const { load } = await import(address);
    const instance = (await load()).createInstance(0);
    for (const name of ["input", "ivector"])
      instance.getInput(name).forEach((_, i, all) => (all[i] = Math.sin(i)));
    opened.set(address, instance);
  }
  const instance = opened.get(address);
  let best = Infinity;
  for (let i = 0; i < runs; ++i) {
    const begin = performance.now();
    instance.run();
    best = Math.min(best, performance.now() - begin);
  }
  return best;
}

const isNode = typeof process === "object";

/** The time from the first request to the loaded library and to the first output,
    in ms; in Node also the processor time of all threads. */
export async function startUp(address) {
  const begin = performance.now();
  const used = isNode ? process.cpuUsage() : null;
  const { load } = await import(address);
  const model = await load();
  const loaded = performance.now();
  model.createInstance(0).run();
  const times = [loaded - begin, performance.now() - begin];
  if (isNode) {
    const { user, system } = process.cpuUsage(used);
    times.push((user + system) / 1000);
  }
  return times;
}

if (isNode) {
  const { createInterface } = await import("node:readline");
  const functions = { measure, startUp };
  for await (const line of createInterface({ input: process.stdin })) {
    const [name, ...values] = JSON.parse(line);
    const result = await functions[name](...values);
    process.stdout.write(JSON.stringify(result) + "\n");
  }
}
