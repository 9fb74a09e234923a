// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Matrices that scroll by, one column for each frame.

// From dark to bright: shades that differ as much as their numbers.
const STOPS = [
  [13, 8, 60], [66, 20, 120], [140, 40, 130], [205, 70, 95], [245, 135, 50],
  [250, 235, 120],
];

/** 256 colours from the first stop to the last. */
const COLOURS = Array.from({ length: 256 }, (_, i) => {
  const at = (i / 255) * (STOPS.length - 1);
  const first = Math.min(Math.floor(at), STOPS.length - 2);
  return STOPS[first].map(
    (value, c) => value + (at - first) * (STOPS[first + 1][c] - value));
});

const MAX_ROWS = 128;

export class ScrollingPlot {
  #canvas;
  #context;
  #waiting = [];
  #width;

  /** `frames` of them fill the canvas. */
  constructor(canvas, frames) {
    this.#canvas = canvas;
    this.#context = canvas.getContext("2d", { willReadFrequently: true });
    this.#width = frames;
    this.clear(1);
  }

  /** Begins again with columns of so many numbers; of more than there are rows,
      each row shows the greatest of several. */
  clear(dim) {
    this.dim = dim;
    this.#waiting = [];
    this.#canvas.width = this.#width;
    this.#canvas.height = Math.min(dim, MAX_ROWS);
    const [r, g, b] = COLOURS[0];
    this.#context.imageSmoothingEnabled = false;
    this.#context.fillStyle = `rgb(${r}, ${g}, ${b})`;
    this.#context.fillRect(0, 0, this.#width, this.#canvas.height);
  }

  /** Adds a column for each `repeat` frames; numbers from 0 to 1. */
  push(values, repeat = 1) {
    for (let at = 0; at < values.length; at += this.dim)
      for (let i = 0; i < repeat; ++i)
        this.#waiting.push(values.subarray(at, at + this.dim));
    this.#waiting = this.#waiting.slice(-this.#width);
  }

  /** Draws the columns that have come. */
  draw() {
    const count = this.#waiting.length;
    if (count === 0)
      return;
    const { width, height } = this.#canvas;
    this.#context.drawImage(this.#canvas, -count, 0);
    const image = this.#context.createImageData(count, height);
    this.#waiting.forEach((values, column) => {
      for (let row = 0; row < height; ++row) {
        // The first number is at the bottom.
        const begin = Math.floor((row * this.dim) / height);
        const end = Math.floor(((row + 1) * this.dim) / height);
        const value = Math.max(...values.subarray(begin, end));
        const shade = Math.round(255 * Math.min(Math.max(value, 0), 1));
        const at = 4 * ((height - 1 - row) * count + column);
        image.data.set(COLOURS[shade || 0], at);
        image.data[at + 3] = 255;
      }
    });
    this.#context.putImageData(image, width - count, 0);
    this.#waiting = [];
  }
}

/** Numbers from 0 to 1 of features: how far each is from its mean so far. */
export class Normalizer {
  constructor(dim) {
    this.count = 0;
    this.means = new Float64Array(dim);
    this.squares = new Float64Array(dim);
  }

  apply(rows) {
    const dim = this.means.length;
    return rows.map((value, i) => {
      const d = i % dim;
      if (d === 0)
        ++this.count;
      const before = value - this.means[d];
      this.means[d] += before / this.count;
      this.squares[d] += before * (value - this.means[d]);
      const deviation = Math.sqrt(this.squares[d] / this.count) || 1;
      return 0.5 + (value - this.means[d]) / (5 * deviation);
    });
  }
}
