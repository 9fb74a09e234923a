// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import { load, supports, type Model, type Stream } from "./net.mjs";

const model: Model = await load({
  wasm: supports("relaxed-simd") ? "net.relaxed.wasm" : undefined,
  onProgress: (bytes, all) => console.log(bytes / all),
});
const instance = model.createInstance("chunk6");
const { output } = instance.run({ input: [1, 2], ivector: new Float32Array(10) });
const names: string[] = model.requests.map(({ name }) => name);
const features = model.createFeatures("fbank");
if (model.stream) {
  const stream: Stream = model.openStream({ maxFrames: 6 });
  const rows: Float32Array = stream.push(features.push(new Float32Array(160)));
  console.log(rows.length, output.length, names, model.stream.chunks[0].numFrames);
}
