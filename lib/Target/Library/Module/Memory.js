
// ---- Memory of the module ---------------------------------------------------

const SCRATCH_BYTES = 1024;
const MESSAGE = 512; // in the scratch memory, up to its end

/** The module's memory and functions. Views of the memory are of no use any more
    when it has grown, so they are made anew. */
class Module {
  constructor(exports) {
    this.exports = exports;
    exports._initialize();
    this.scratch = this.allocate(SCRATCH_BYTES);
  }

  /** Calls a function that returns no status. */
  callExport(name, ...values) {
    try {
      return this.exports[name](...values);
    } catch (error) {
      const text = this.exports.nnet3web_failure();
      if (error instanceof WebAssembly.RuntimeError && text !== 0)
        throw new Nnet3Error(this.getText(text));
      throw error;
    }
  }

  /** Calls a function of the library that returns a status. */
  call(name, ...values) {
    this.check(this.callExport(`${PREFIX}_${name}`, ...values));
  }

  check(status, message = "") {
    if (status === 0)
      return;
    const text = this.getText(this.exports[`${PREFIX}_error_text`](status));
    throw new Nnet3Error(message || text, status);
  }

  allocate(bytes) {
    const address = this.callExport("nnet3web_allocate", bytes) >>> 0;
    if (address === 0)
      throw new Nnet3Error(`out of memory: ${bytes} bytes`);
    return address;
  }

  free(address) {
    this.exports.nnet3web_free(address);
  }

  get view() {
    return new DataView(this.exports.memory.buffer);
  }

  getFloats(address, count) {
    return new Float32Array(this.exports.memory.buffer, address, count);
  }

  getBytes(address, count) {
    return new Uint8Array(this.exports.memory.buffer, address, count);
  }

  /** A copy, or null for a null pointer. */
  getIntegers(address, count) {
    if (address === 0)
      return null;
    return new Int32Array(this.exports.memory.buffer, address, count).slice();
  }

  getText(address) {
    const bytes = new Uint8Array(this.exports.memory.buffer, address);
    return new TextDecoder().decode(bytes.subarray(0, bytes.indexOf(0)));
  }

  /** Zeros of the scratch memory, which begin with their size as structs of the
      library do. */
  clearStruct(bytes) {
    this.getBytes(this.scratch, bytes).fill(0);
    this.view.setUint32(this.scratch, bytes, true);
    return this.scratch;
  }

  /** Calls a function that fills in a struct of integers; gives these. */
  ask(name, bytes, ...values) {
    const at = this.clearStruct(bytes);
    this.call(name, ...values, at);
    return new Int32Array(this.exports.memory.buffer, at, bytes / 4).slice();
  }

  /** Calls a function that gives a pointer or number as its last argument. */
  create(name, ...values) {
    const at = this.clearStruct(8);
    this.call(name, ...values, at);
    return this.view.getInt32(at, true);
  }

  /** Writes a description of a matrix. */
  describe(at, matrix) {
    const view = this.view;
    view.setUint32(at, matrix.address, true);
    view.setBigInt64(at + 8, BigInt(matrix.cols), true);
    view.setInt32(at + 16, matrix.rows, true);
    view.setInt32(at + 20, matrix.cols, true);
  }
}

const MATRIX_BYTES = 24;

/** A matrix in the module's memory. */
class Matrix {
  constructor(module, rows, cols) {
    this.module = module;
    this.rows = rows;
    this.cols = cols;
    this.address = module.allocate(rows * cols * FLOAT_BYTES);
  }

  get values() {
    return this.module.getFloats(this.address, this.rows * this.cols);
  }

  set(values, name) {
    if (values.length !== this.rows * this.cols)
      throw new Nnet3Error(
        `'${name}' expects ${this.rows} x ${this.cols} numbers, but got ` +
          `${values.length}`);
    this.values.set(values);
  }

  free() {
    this.module.free(this.address);
  }
}

/** One array of all numbers. */
function join(arrays) {
  const all = new Float32Array(
    arrays.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const array of arrays) {
    all.set(array, at);
    at += array.length;
  }
  return all;
}
