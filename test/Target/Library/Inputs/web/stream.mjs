// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compares a stream with the request of the whole utterance:
// stream.mjs STREAM WHOLE FEATURES
import { importLibrary, readMatrix } from "./common.mjs";

const [path, wholePath, features] = process.argv.slice(2);
const frames = await readMatrix(features);
const whole = await (await importLibrary(wholePath)).load();
const model = await (await importLibrary(path)).load();
const { inputDim, leftContext, rightContext, chunks, ...about } = model.stream;
console.log(
  `chunks of ${chunks.map(({ numFrames }) => numFrames).join(", ")} frames,`,
  `context ${leftContext} and ${rightContext}, i-vectors of ${about.ivectorDim}`);

// Copies of the first and last frames, as the stream has them.
const [request] = whole.requests;
const rows = request.inputs[0].rows;
const padded = Array.from({ length: rows }, (_, row) => {
  const frame = Math.min(
    Math.max(row - leftContext, 0), frames.length / inputDim - 1);
  return [...frames.subarray(frame * inputDim, (frame + 1) * inputDim)];
}).flat();
const ivector = Float32Array.from(
  { length: about.ivectorDim }, (_, i) => Math.sin(i));
const instance = whole.createInstance();
const { output } = instance.run({ input: padded, ivector });

const stream = model.openStream({ ivector });
for (const step of [1, 3, 17, 1000]) {
  const parts = [];
  const other = model.openStream({ ivector, maxFrames: 6 });
  for (let at = 0; at < frames.length; at += step * inputDim)
    parts.push(...other.push(frames.subarray(at, at + step * inputDim)));
  parts.push(...other.finish());
  other.close();
  const isEqual = parts.every((value, i) => value === output[i]);
  console.log(
    `pieces of ${step}: ${parts.length / about.outputDim} rows,`,
    isEqual ? "equal" : "not equal");
}
// One more at the same time, with any chunks.
const all = [...stream.push(frames), ...stream.finish()];
console.log(all.every((value, i) => value === output[i]) ? "equal" : "not equal");
try {
  stream.push(new Float32Array(inputDim + 1));
} catch (error) {
  console.log(error.message);
}
try {
  stream.setIvector([1]);
} catch (error) {
  console.log(error.message);
}
stream.close();
stream.close();
try {
  stream.push(frames);
} catch (error) {
  console.log(error.message);
}
