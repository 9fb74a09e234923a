
// ---- Features ---------------------------------------------------------------

const KINDS = ["mfcc", "fbank"];
const MAX_SAMPLES = 4096;

/** Features of one speaker's samples. */
class Features {
  #module;
  #features;
  #stream;
  #samples;
  #rows;
  #counts;

  constructor(module, kind, config) {
    if (!KINDS.includes(kind))
      throw new Nnet3Error(`expects 'mfcc' or 'fbank', but got '${kind}'`);
    this.#module = module;
    this.#features = this.#create(KINDS.indexOf(kind), config);
    const at = module.clearStruct(8);
    this.#check(
      module.callExport("nnet3_features_open", this.#features, at));
    this.#stream = module.view.getUint32(at, true);
    const ask = (name) =>
      module.callExport(`nnet3_features_${name}`, this.#features);
    /** Numbers of a row. */
    this.dim = ask("dim");
    /** In Hz. */
    this.sampleFrequency = ask("sample_frequency");
    /** In samples. */
    this.frameShift = ask("frame_shift");
    this.#samples = new Matrix(module, 1, MAX_SAMPLES);
    const rows = Math.ceil(MAX_SAMPLES / this.frameShift) + 1;
    this.#rows = new Matrix(module, rows, this.dim);
    this.#counts = module.allocate(16);
  }

  #create(kind, config) {
    const module = this.#module;
    const text = new TextEncoder().encode(config);
    const copy = module.allocate(text.length + 1);
    module.getBytes(copy, text.length).set(text);
    const at = module.clearStruct(8);
    const message = module.scratch + MESSAGE;
    const status = module.callExport(
      "nnet3_features_create", kind, copy, text.length, at, message,
      SCRATCH_BYTES - MESSAGE);
    const features = module.view.getUint32(at, true);
    module.free(copy);
    this.#check(status, status === 2 ? module.getText(message) : "");
    return features;
  }

  #check(status, message = "") {
    if (status !== 0)
      throw new Nnet3Error(message || this.#module.getText(
        this.#module.callExport("nnet3_features_error_text", status)));
  }

  /** Takes samples from -1 to 1, and gives the rows of frames that end in
      them. */
  push(samples) {
    this.#checkOpen();
    const parts = [];
    for (let begin = 0; begin < samples.length; ) {
      const part = samples.subarray(begin, begin + MAX_SAMPLES);
      // The library's samples are those of 16 bits.
      this.#samples.values.set(part.map((sample) => sample * 32768));
      this.#check(this.#module.callExport(
        "nnet3_features_push", this.#stream, this.#samples.address,
        BigInt(part.length), this.#counts, this.#rows.address,
        BigInt(this.#rows.rows), this.#counts + 8));
      begin += this.#getCount(0);
      parts.push(this.#takeRows());
    }
    return join(parts);
  }

  /** Gives the rows that are left when no more samples come. */
  finish() {
    this.#checkOpen();
    const parts = [];
    do {
      this.#check(this.#module.callExport(
        "nnet3_features_finish", this.#stream, this.#rows.address,
        BigInt(this.#rows.rows), this.#counts + 8));
      parts.push(this.#takeRows());
    } while (this.#getCount(1) === this.#rows.rows);
    return join(parts);
  }

  /** Begins again with new samples. */
  reset() {
    this.#checkOpen();
    this.#check(
      this.#module.callExport("nnet3_features_reset", this.#stream));
  }

  #checkOpen() {
    if (this.#stream === 0)
      throw new Nnet3Error("the features are closed");
  }

  #getCount(index) {
    return Number(
      this.#module.view.getBigInt64(this.#counts + 8 * index, true));
  }

  #takeRows() {
    return this.#rows.values.slice(0, this.#getCount(1) * this.dim);
  }

  /** Frees the features, once. */
  close() {
    const { exports } = this.#module;
    if (this.#stream === 0)
      return;
    exports.nnet3_features_close(this.#stream);
    exports.nnet3_features_destroy(this.#features);
    this.#samples.free();
    this.#rows.free();
    this.#module.free(this.#counts);
    this.#stream = 0;
  }
}
