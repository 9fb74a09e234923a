// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The page: takes sound, gives it to the worker, and shows what comes back.

import { Normalizer, ScrollingPlot } from "./plot.js";
import { readSound } from "./wav.js";

const FRAMES = 400; // that the plots show
const BEST = 5;
const BLOCK_SECONDS = 0.04;
// What is shown of a model, by element.
const ABOUT = [
  "features-about", "posteriors-about", "startup", "memory", "instructions",
];

const find = (id) => document.getElementById(id);
const plots = {
  features: new ScrollingPlot(find("features"), FRAMES),
  posteriors: new ScrollingPlot(find("posteriors"), FRAMES),
};
const worker = new Worker("worker.js", { type: "module" });

let entries = [];
let base = null; // of the addresses in models.json
let about = null; // the model that is loaded
let labels = null;
let normalizer = null;
let best = null; // a row of posteriors that is not shown yet
let latencies = [];
let numLoads = 0;
let source = null; // of sound, until it ends
let outputs = []; // of the last sound, for those who look at the page by script
let onFinished = null;

// ---- What is shown ------------------------------------------------------------

function notify(text) {
  find("notice").textContent = text;
  find("notice").hidden = !text;
}

function show(id, text) {
  find(id).textContent = text;
}

/** A bar for each of the most likely classes. */
function showBest(row) {
  const order = Array.from(row.keys()).sort((a, b) => row[b] - row[a]);
  const items = find("best").children;
  order.slice(0, BEST).forEach((number, place) => {
    const item = items[place];
    item.children[0].textContent = labels?.[number] ?? `class ${number}`;
    item.children[1].value = row[number];
    item.children[2].textContent = row[number].toFixed(2);
  });
}

function makeBars() {
  const list = find("best");
  list.replaceChildren();
  for (let i = 0; i < Math.min(BEST, about.outputDim); ++i) {
    const item = document.createElement("li");
    for (const name of ["span", "meter", "span"])
      item.append(document.createElement(name));
    list.append(item);
  }
}

function clear() {
  normalizer = new Normalizer(about.featureDim);
  plots.features.clear(about.featureDim);
  plots.posteriors.clear(about.outputDim);
  latencies = [];
  outputs = [];
  makeBars();
  for (const id of ["factor", "latency", "sound"])
    show(id, "–");
}

function draw() {
  plots.features.draw();
  plots.posteriors.draw();
  if (best)
    showBest(best);
  best = null;
  requestAnimationFrame(draw);
}

// ---- What the worker says -----------------------------------------------------

function setBusy(isBusy) {
  find("model").disabled = isBusy;
  for (const id of ["file", "microphone"])
    find(id).disabled = isBusy || !about;
  find("stop").disabled = !isBusy;
}

function handleLoaded(message) {
  about = message;
  notify("");
  clear();
  show("features-about", `${about.featureDim} numbers each ${about.shift} ms`);
  show("posteriors-about", `${about.outputDim} classes`);
  show("startup", `${about.startup.toFixed(0)} ms`);
  show("memory", `${(about.memoryBytes / 1e6).toFixed(1)} MB`);
  show("instructions", `${about.instructions}, ${about.precision}`);
  setBusy(false);
}

function handleRows(message) {
  plots.features.push(normalizer.apply(message.features));
  // The square root shows small posteriors, too.
  plots.posteriors.push(message.posteriors.map(Math.sqrt), about.factor);
  outputs.push(message.outputs);
  if (message.posteriors.length > 0)
    best = message.posteriors.slice(-about.outputDim);
  if (message.latency !== null)
    latencies = [...latencies.slice(-20), message.latency];
  show("factor", message.factor.toFixed(3));
  show("sound", `${message.audio.toFixed(1)} s`);
  if (latencies.length > 0 && source?.isLive) {
    const mean = latencies.reduce((a, b) => a + b) / latencies.length;
    show("latency", `${mean.toFixed(0)} ms`);
  }
}

worker.onmessage = ({ data }) => {
  // Of a model that was chosen before the last one.
  if (data.load !== numLoads)
    return;
  if (data.type === "loaded")
    handleLoaded(data);
  else if (data.type === "rows")
    handleRows(data);
  else if (data.type === "finished")
    onFinished?.();
  else
    notify(data.text);
};
worker.onerror = (event) => notify(event.message ?? "the worker does not run");

// ---- Sound --------------------------------------------------------------------

function sendSamples(sound, samples) {
  // A timer or the microphone may be later than the button that stops them.
  if (sound.isStopped)
    return;
  const time = performance.timeOrigin + performance.now();
  worker.postMessage({ type: "samples", samples, time });
}

function stop() {
  if (!source)
    return;
  source.isStopped = true;
  source.close?.();
}

/** Ends the sound; the answer comes when all its outputs are there. */
function finish() {
  stop();
  const finished = new Promise((resolve) => (onFinished = resolve));
  worker.postMessage({ type: "finish" });
  return finished.then(() => {
    source = null;
    setBusy(false);
  });
}

/** Takes sound from `action`. It begins first of all, so that no other begins
    meanwhile; what fails behind Stop is no error. */
async function take(isLive, action) {
  clear();
  notify("");
  const sound = { isStopped: false, isLive };
  source = sound;
  worker.postMessage({ type: "begin" });
  setBusy(true);
  try {
    await action(sound);
  } catch (error) {
    if (!sound.isStopped)
      throw error;
  }
}

/** Plays a file to the network, at the speed of speech or as fast as it can. */
async function play(sound, file) {
  const samples = await readSound(await file.arrayBuffer(), about.sampleFrequency);
  const block = Math.round(BLOCK_SECONDS * about.sampleFrequency);
  const start = performance.now();
  for (let at = 0; at < samples.length && !sound.isStopped; at += block) {
    const due = start + (1000 * at) / about.sampleFrequency;
    if (sound.isLive)
      await new Promise((next) => setTimeout(next, due - performance.now()));
    sendSamples(sound, samples.slice(at, at + block));
  }
  if (!sound.isStopped)
    await finish();
}

async function listen(sound) {
  const { sampleFrequency } = about;
  const media = await navigator.mediaDevices.getUserMedia({ audio: true });
  const context = new AudioContext({ sampleRate: sampleFrequency });
  const close = () => {
    media.getTracks().forEach((track) => track.stop());
    context.close();
  };
  // Stop may be faster than the microphone.
  if (sound.isStopped)
    return close();
  sound.close = close;
  await context.audioWorklet.addModule("recorder.js");
  const recorder = new AudioWorkletNode(context, "recorder");
  recorder.port.onmessage = ({ data }) => sendSamples(sound, data);
  context.createMediaStreamSource(media).connect(recorder);
}

// ---- Models -------------------------------------------------------------------

async function select(number) {
  const entry = entries[number];
  if (about)
    clear();
  about = null;
  labels = entry.labels ?? null;
  for (const id of ABOUT)
    show(id, "–");
  setBusy(false);
  worker.postMessage({ type: "load", entry, base, load: ++numLoads });
}

async function loadList() {
  const list = new URL(
    new URLSearchParams(location.search).get("models") ?? "models.json",
    location.href);
  const response = await fetch(list);
  if (!response.ok)
    throw new Error(`there are no models: ${list.pathname} is missing`);
  base = list.href;
  entries = await response.json();
  entries.forEach(({ name }, number) =>
    find("model").append(new Option(name, number)));
  await select(0);
}

/** What of a browser the page needs; empty if all is there. */
function findMissing() {
  if (typeof WebAssembly !== "object")
    return "WebAssembly";
  // A function that fills a vector.
  const probe = [
    0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 8, 1, 6,
    0, 65, 0, 253, 17, 11,
  ];
  return WebAssembly.validate(new Uint8Array(probe))
    ? ""
    : "WebAssembly with 128-bit SIMD";
}

/** Runs a handler of an event, and shows its error. */
function handling(action) {
  return (event) =>
    action(event).catch((error) => {
      notify(error.message);
      stop();
      source = null;
      setBusy(false);
    });
}

function main() {
  notify("");
  find("model").onchange = handling(() => select(find("model").value));
  find("file").onchange = handling(async ({ target }) => {
    const [file] = target.files;
    target.value = "";
    if (file)
      await take(find("paced").checked, (sound) => play(sound, file));
  });
  find("microphone").onclick = handling(() => take(true, listen));
  find("stop").onclick = handling(finish);
  const missing = findMissing();
  if (missing) {
    setBusy(false);
    notify(
      `This page needs ${missing}, which this browser does not have. Chrome and ` +
        "Edge have it since version 91, Firefox since 89, Safari since 16.4.");
    return;
  }
  requestAnimationFrame(draw);
  handling(loadList)();
}

/** For tests: the outputs of the last sound. */
window.getOutputs = () => outputs.flatMap((rows) => Array.from(rows));

main();
