// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// In the audio thread: sends the microphone's samples in blocks.

const BLOCK = 640; // 40 ms at 16 kHz

class Recorder extends AudioWorkletProcessor {
  #block = new Float32Array(BLOCK);
  #used = 0;

  process([[samples]]) {
    for (const sample of samples ?? []) {
      this.#block[this.#used++] = sample;
      if (this.#used === BLOCK) {
        this.port.postMessage(this.#block);
        this.#used = 0;
      }
    }
    return true;
  }
}

registerProcessor("recorder", Recorder);
