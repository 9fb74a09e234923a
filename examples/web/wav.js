// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sound from files.

/** The first channel of a WAV file with samples of 16 bits, from -1 to 1; null
    for other files. */
export function readWav(buffer) {
  const view = new DataView(buffer);
  const getTag = (at) =>
    String.fromCharCode(...new Uint8Array(buffer, at, 4));
  if (view.byteLength < 12 || getTag(0) !== "RIFF" || getTag(8) !== "WAVE")
    return null;
  let format = null;
  for (let at = 12; at + 8 <= view.byteLength; ) {
    const tag = getTag(at);
    const size = view.getUint32(at + 4, true);
    const begin = at + 8;
    const bytes = Math.min(size, view.byteLength - begin);
    if (tag === "fmt " && bytes >= 16) {
      format = {
        kind: view.getUint16(begin, true),
        channels: view.getUint16(begin + 2, true),
        rate: view.getUint32(begin + 4, true),
        bits: view.getUint16(begin + 14, true),
      };
    } else if (tag === "data" && format) {
      if (format.kind !== 1 || format.bits !== 16 || format.channels < 1)
        return null;
      const step = 2 * format.channels;
      const samples = new Float32Array(Math.floor(bytes / step));
      for (let i = 0; i < samples.length; ++i)
        samples[i] = view.getInt16(begin + i * step, true) / 32768;
      return { rate: format.rate, samples };
    }
    at = begin + size + (size % 2);
  }
  return null;
}

/** The first channel of a file at `rate` samples per second. WAV files of that
    rate are taken as they are; the browser decodes and converts others. */
export async function readSound(buffer, rate) {
  const wav = readWav(buffer);
  if (wav && wav.rate === rate)
    return wav.samples;
  const context = new OfflineAudioContext(1, 1, rate);
  const sound = await context.decodeAudioData(buffer);
  return sound.getChannelData(0);
}
