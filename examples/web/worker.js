// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The network and its features, in a thread of their own. Messages in: load,
// begin, samples, finish. Messages out: loaded, rows, finished, failed, each with
// the number of the load that it belongs to.

let loadNumber = 0;
let model = null;
let features = null;
let stream = null;
let entry = null;
let seconds = 0; // of computation, since the start
let arrivals = []; // when so many samples were there
let numSamples = 0;
let numOutputs = 0;

/** Loads the library of an entry of models.json. */
async function load(message) {
  const begin = performance.now();
  loadNumber = message.load;
  close();
  model?.close();
  model = null;
  entry = message.entry;
  const library = await import(new URL(entry.module, message.base));
  const isRelaxed = !!entry.relaxed && library.supports("relaxed-simd");
  model = await library.load(
    isRelaxed ? { wasm: new URL(entry.relaxed, message.base) } : {});
  if (!model.stream)
    throw new Error("the model is no stream; see nnet3-compile --streaming");
  start();
  const { inputDim, outputDim, frameSubsamplingFactor } = model.stream;
  if (inputDim !== features.dim)
    throw new Error(
      `the model takes ${inputDim} numbers in a frame, but its features have ` +
        `${features.dim}`);
  // Once in vain: then all code is compiled.
  stream.push(new Float32Array(inputDim));
  stream.finish();
  answer({
    type: "loaded",
    featureDim: features.dim,
    outputDim,
    factor: frameSubsamplingFactor,
    sampleFrequency: features.sampleFrequency,
    shift: (1000 * features.frameShift) / features.sampleFrequency,
    precision: model.precision,
    instructions: isRelaxed ? "relaxed SIMD" : "SIMD",
    memoryBytes: model.memoryBytes,
    startup: performance.now() - begin,
  });
}

function answer(message, transferred = []) {
  postMessage({ ...message, load: loadNumber }, transferred);
}

function close() {
  features?.close();
  stream?.close();
  features = stream = null;
}

/** Begins a stream. */
function start() {
  close();
  const { kind, config } = entry.features ?? {};
  features = model.createFeatures(kind, config);
  stream = model.openStream({ maxFrames: entry.maxFrames });
  seconds = numSamples = numOutputs = 0;
  arrivals = [];
}

/** Probabilities of outputs, which are their logarithms or come before a
    softmax. */
function getPosteriors(outputs) {
  const dim = model.stream.outputDim;
  const posteriors = new Float32Array(outputs.length);
  for (let at = 0; at < outputs.length; at += dim) {
    const row = outputs.subarray(at, at + dim);
    const greatest = row.reduce((a, b) => Math.max(a, b), -Infinity);
    let sum = 0;
    for (let i = 0; i < dim; ++i)
      sum += posteriors[at + i] = Math.exp(row[i] - greatest);
    for (let i = 0; i < dim; ++i)
      posteriors[at + i] /= sum;
  }
  return posteriors;
}

/** How long ago the samples of the newest output's frames came, in ms. */
function getLatency(now) {
  const frame = numOutputs * model.stream.frameSubsamplingFactor;
  const needed = Math.min(frame * features.frameShift, numSamples);
  while (arrivals.length > 1 && arrivals[0].count < needed)
    arrivals.shift();
  return now - arrivals[0].time;
}

function send(rows, outputs, begin) {
  const now = performance.now();
  seconds += (now - begin) / 1000;
  numOutputs += outputs.length / model.stream.outputDim;
  const posteriors = getPosteriors(outputs);
  const audio = numSamples / features.sampleFrequency;
  answer(
    {
      type: "rows",
      features: rows,
      outputs,
      posteriors,
      audio,
      factor: audio > 0 ? seconds / audio : 0,
      latency: outputs.length > 0 ? getLatency(performance.timeOrigin + now)
        : null,
    },
    [rows.buffer, outputs.buffer, posteriors.buffer]);
}

function push({ samples, time }) {
  const begin = performance.now();
  numSamples += samples.length;
  arrivals.push({ count: numSamples, time });
  const rows = features.push(samples);
  send(rows, stream.push(rows), begin);
}

/** Ends the stream. */
function finish() {
  const begin = performance.now();
  const rows = features.finish();
  const parts = [stream.push(rows), stream.finish()];
  const outputs = new Float32Array(parts[0].length + parts[1].length);
  outputs.set(parts[0]);
  outputs.set(parts[1], parts[0].length);
  if (numSamples > 0)
    send(rows, outputs, begin);
  answer({ type: "finished" });
}

async function handle(message) {
  switch (message.type) {
    case "load":
      return load(message);
    case "begin":
      return start();
    case "samples":
      return push(message);
    case "finish":
      return finish();
  }
}

// One after the other: a model that loads comes before the samples behind it.
let last = Promise.resolve();
onmessage = ({ data }) => {
  last = last
    .then(() => handle(data))
    .catch((error) => answer({ type: "failed", text: error.message }));
};
