
// ---- Streams ----------------------------------------------------------------

/** Frames that have come and are not computed yet. */
class FrameQueue {
  constructor(dim) {
    this.dim = dim;
    this.values = new Float32Array(0);
    this.rows = 0;
  }

  push(values) {
    const used = this.rows * this.dim;
    if (used + values.length > this.values.length) {
      const larger = new Float32Array(2 * used + values.length);
      larger.set(this.values.subarray(0, used));
      this.values = larger;
    }
    this.values.set(values, used);
    this.rows += values.length / this.dim;
  }

  /** Gives the first rows; they stay in the queue until drop(). */
  peek(rows) {
    return this.values.subarray(0, rows * this.dim);
  }

  drop(rows) {
    this.values.copyWithin(0, rows * this.dim, this.rows * this.dim);
    this.rows -= rows;
  }
}

class Stream {
  #module;
  #about;
  #stepper;
  #state;
  #queue;
  #last = null; // of the frames that have come
  #hasBegun = false;
  #numFrames = 0; // that have come
  #numComputed = 0; // whose outputs are computed
  #input;
  #ivector;
  #output;
  #lists;
  #maxFrames;

  constructor(module, model, about, options) {
    this.#module = module;
    this.#about = about;
    this.#maxFrames = options.maxFrames ?? Infinity;
    this.#queue = new FrameQueue(about.inputDim);
    this.#stepper = module.create("stepper_create", model, 0);
    this.#state = module.allocate(about.stateBytes);
    module.call("state_init", model, this.#state, BigInt(about.stateBytes));
    const most = (...names) =>
      Math.max(
        ...about.chunks.flatMap((chunk) => names.map((name) => chunk[name])));
    this.#input = new Matrix(
      module, most("firstInputRows", "nextInputRows"), about.inputDim);
    this.#output = new Matrix(module, most("outputRows"), about.outputDim);
    if (about.ivectorDim > 0)
      this.#ivector = new Matrix(
        module, most("firstIvectorRows", "nextIvectorRows"), about.ivectorDim);
    this.#lists = module.allocate(3 * MATRIX_BYTES);
    if (this.#ivector)
      this.setIvector(options.ivector ?? new Float32Array(about.ivectorDim));
  }

  /** The i-vector of the frames to come. */
  setIvector(values) {
    this.#checkOpen();
    if (values.length !== this.#about.ivectorDim)
      throw new Nnet3Error(
        `expects an i-vector of ${this.#about.ivectorDim} numbers, but got ` +
          `${values.length}`);
    for (let row = 0; row < this.#ivector.rows; ++row)
      this.#ivector.values.set(values, row * values.length);
  }

  /** Takes rows of frames, as many as there are, and gives the rows of outputs
      that can be computed by now. */
  push(frames) {
    const { inputDim, leftContext } = this.#about;
    this.#checkOpen();
    if (frames.length % inputDim !== 0)
      throw new Nnet3Error(
        `expects rows of ${inputDim} numbers, but got ${frames.length}`);
    if (frames.length > 0) {
      // Copies of the first frame stand for those before it.
      if (this.#last === null)
        this.#repeat(frames.slice(0, inputDim), leftContext);
      this.#last = frames.slice(-inputDim);
      this.#queue.push(frames);
      this.#numFrames += frames.length / inputDim;
    }
    const outputs = [];
    for (let chunk; (chunk = this.#findLongest()); )
      outputs.push(this.#step(chunk));
    return join(outputs);
  }

  /** Ends the stream: gives the outputs that are left. */
  finish() {
    const { frameSubsamplingFactor, outputDim } = this.#about;
    this.#checkOpen();
    const outputs = [];
    while (this.#numComputed < this.#numFrames) {
      const missing = this.#numFrames - this.#numComputed;
      const usable = this.#getUsable();
      const chunk =
        usable.find(({ numFrames }) => numFrames >= missing) ?? usable.at(-1);
      this.#repeat(this.#last, this.#getRows(chunk) - this.#queue.rows);
      const wanted = Math.ceil(missing / frameSubsamplingFactor) * outputDim;
      outputs.push(this.#step(chunk).subarray(0, wanted));
    }
    return join(outputs);
  }

  #checkOpen() {
    if (this.#stepper === 0)
      throw new Nnet3Error("the stream is closed");
  }

  #repeat(frame, count) {
    for (let i = 0; i < count; ++i)
      this.#queue.push(frame);
  }

  #getUsable() {
    const { chunks } = this.#about;
    const usable = chunks.filter(
      (chunk) => chunk.numFrames <= this.#maxFrames &&
        (this.#hasBegun || chunk.canBegin));
    return usable.length > 0
      ? usable
      : [chunks.find(({ canBegin }) => this.#hasBegun || canBegin)];
  }

  #getRows(chunk) {
    return this.#hasBegun ? chunk.nextInputRows : chunk.firstInputRows;
  }

  /** The longest chunk whose frames are there. */
  #findLongest() {
    return this.#getUsable().findLast(
      (chunk) => this.#getRows(chunk) <= this.#queue.rows);
  }

  /** Computes the next chunk. */
  #step(chunk) {
    const module = this.#module;
    const rows = this.#getRows(chunk);
    const describe = (number, matrix, used) =>
      module.describe(this.#lists + number * MATRIX_BYTES, {
        address: matrix.address,
        rows: used,
        cols: matrix.cols,
      });
    this.#input.values.set(this.#queue.peek(rows));
    describe(0, this.#input, rows);
    if (this.#ivector)
      describe(
        1, this.#ivector,
        this.#hasBegun ? chunk.nextIvectorRows : chunk.firstIvectorRows);
    describe(2, this.#output, chunk.outputRows);
    module.call(
      "stepper_step", this.#stepper, this.#state, chunk.numFrames, this.#lists,
      this.#ivector ? 2 : 1, this.#lists + 2 * MATRIX_BYTES);
    this.#queue.drop(rows);
    this.#hasBegun = true;
    this.#numComputed += chunk.numFrames;
    return this.#output.values.slice(
      0, chunk.outputRows * this.#about.outputDim);
  }

  /** Frees the stream, once. */
  close() {
    if (this.#stepper === 0)
      return;
    this.#module.exports[`${PREFIX}_stepper_destroy`](this.#stepper);
    for (const matrix of [this.#input, this.#ivector, this.#output])
      matrix?.free();
    this.#module.free(this.#lists);
    this.#module.free(this.#state);
    this.#stepper = 0;
  }
}
