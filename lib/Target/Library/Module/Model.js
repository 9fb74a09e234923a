
// ---- Models -----------------------------------------------------------------

/** Opens the library. Both files are requested at once, and the weights go into
    the module's memory as they come. */
export async function load(options = {}) {
  const wasm = options.wasm ?? new URL(FILES.wasm, import.meta.url);
  const weights = options.weights ?? new URL(FILES.weights, import.meta.url);
  const pieces = WEIGHTS_BYTES > 0 ? readPieces(weights) : null;
  const first = pieces?.next();
  // Who waits for it gets the error, below.
  first?.catch(() => {});
  const compiled = await compile(wasm);
  const isOurs = WebAssembly.Module.exports(compiled).some(
    ({ name }) => name === `${PREFIX}_model_open`);
  if (!isOurs)
    throw new Nnet3Error(`the module has no function ${PREFIX}_model_open`);
  const { exports } = await WebAssembly.instantiate(compiled, {});
  const module = new Module(exports);
  const address = pieces
    ? await readWeights(module, first, pieces, options.onProgress)
    : 0;
  return new Model(module, address);
}

async function readWeights(module, first, pieces, onProgress) {
  const address = module.allocate(WEIGHTS_BYTES);
  let size = 0;
  for (let next = await first; !next.done; next = await pieces.next()) {
    const piece = next.value;
    if (size + piece.length > WEIGHTS_BYTES)
      throw new Nnet3Error(
        `expects ${WEIGHTS_BYTES} bytes of weights, but got more`);
    module.getBytes(address + size, piece.length).set(piece);
    size += piece.length;
    onProgress?.(size, WEIGHTS_BYTES);
  }
  if (size !== WEIGHTS_BYTES)
    throw new Nnet3Error(
      `expects ${WEIGHTS_BYTES} bytes of weights, but got ${size}`);
  return address;
}

class Model {
  #module;
  #model;
  #weights;

  constructor(module, weights) {
    this.#module = module;
    this.#weights = weights;
    const options = module.clearStruct(48);
    const view = module.view;
    view.setUint32(options, 40, true);
    view.setUint32(options + 12, module.scratch + MESSAGE, true);
    view.setBigUint64(
      options + 16, BigInt(SCRATCH_BYTES - MESSAGE), true);
    view.setUint32(options + 24, weights, true);
    view.setBigUint64(options + 32, BigInt(WEIGHTS_BYTES), true);
    const status = module.callExport(
      `${PREFIX}_model_open`, ABI_VERSION, options, options + 40);
    module.check(status, module.getText(module.scratch + MESSAGE));
    this.#model = module.view.getUint32(options + 40, true);
    this.#describe();
  }

  #describe() {
    const module = this.#module;
    const about = module.ask("get_model_info", 24, this.#model);
    this.network = module.getText(about[2]);
    this.producer = module.getText(about[3]);
    this.precision = module.getText(
      module.create("get_precision", this.#model));
    this.requests = [];
    for (let number = 0; number < about[1]; ++number)
      this.requests.push(this.#describeRequest(number));
    this.stream = this.#describeStream();
  }

  #describeRequest(number) {
    const module = this.#module;
    const about = module.ask("get_request_info", 32, this.#model, number);
    const list = (name, count) =>
      Array.from({ length: count }, (_, index) => {
        const matrix = module.ask(name, 32, this.#model, number, index);
        const [, rows, cols] = matrix;
        const [n, t, x] = [5, 6, 7].map((member) =>
          module.getIntegers(matrix[member], rows));
        return { name: module.getText(matrix[4]), rows, cols, n, t, x };
      });
    return {
      name: module.getText(about[4]),
      minOutputs: about[3],
      inputs: list("get_input_info", about[1]),
      outputs: list("get_output_info", about[2]),
    };
  }

  /** How streams are computed; null if the library computes none. */
  #describeStream() {
    const module = this.#module;
    const at = module.clearStruct(64);
    const name = `${PREFIX}_get_stream_info`;
    if (module.callExport(name, this.#model, at) !== 0)
      return null;
    const about = module.getIntegers(at, 16);
    const chunks = Array.from({ length: about[1] }, (_, index) => {
      const chunk = module.ask("get_chunk_info", 32, this.#model, index);
      return {
        numFrames: chunk[1],
        canBegin: chunk[2] !== 0,
        firstInputRows: chunk[3],
        firstIvectorRows: chunk[4],
        nextInputRows: chunk[5],
        nextIvectorRows: chunk[6],
        outputRows: chunk[7],
      };
    });
    return {
      leftContext: about[2],
      rightContext: about[3],
      frameSubsamplingFactor: about[4],
      ivectorPeriod: about[5],
      dependsOnChunks: about[7] !== 0,
      dependsOnEnd: about[15] !== 0,
      inputDim: about[8],
      ivectorDim: about[9],
      outputDim: about[10],
      stateBytes: about[12],
      chunks,
    };
  }

  /** Memory for runs of one request, which its name or number gives. */
  createInstance(request = 0) {
    const number =
      typeof request === "number"
        ? request
        : this.requests.findIndex(({ name }) => name === request);
    const about = this.requests[number];
    if (!about)
      throw new Nnet3Error(`the library has no request '${request}'`);
    return new Instance(this.#module, this.#model, number, about);
  }

  /** Live speech, from a stream's first frame on. */
  openStream(options = {}) {
    if (!this.stream)
      throw new Nnet3Error("the library computes no streams; see --streaming");
    return new Stream(this.#module, this.#model, this.stream, options);
  }

  /** MFCC ("mfcc") or fbank ("fbank") features; `config` is a text in Kaldi's
      form. */
  createFeatures(kind = "mfcc", config = "") {
    return new Features(this.#module, kind, config);
  }

  /** Bytes of the module's memory, of which the weights are a part. */
  get memoryBytes() {
    return this.#module.exports.memory.buffer.byteLength;
  }

  /** Frees the model. Its instances and streams have to be closed before. */
  close() {
    this.#module.exports[`${PREFIX}_model_close`](this.#model);
    if (this.#weights !== 0)
      this.#module.free(this.#weights);
    this.#model = this.#weights = 0;
  }
}

// ---- Instances --------------------------------------------------------------

class Instance {
  #module;
  #instance;
  #lists;
  #inputs = new Map();
  #outputs = new Map();

  constructor(module, model, number, { inputs, outputs }) {
    this.#module = module;
    this.#instance = module.create("instance_create", model, number);
    this.#lists = module.allocate(
      (inputs.length + outputs.length) * MATRIX_BYTES);
    let at = this.#lists;
    for (const [list, to] of [[inputs, this.#inputs], [outputs, this.#outputs]])
      for (const { name, rows, cols } of list) {
        const matrix = new Matrix(module, rows, cols);
        module.describe(at, matrix);
        to.set(name, matrix);
        at += MATRIX_BYTES;
      }
  }

  /** An input in the module's memory, row by row: to be written before a run. */
  getInput(name) {
    return this.#find(this.#inputs, "input", name).values;
  }

  /** An output of the last run in the module's memory, row by row. Like all such
      arrays it is of no use any more when the memory has grown: what creates an
      object or closes one may let it grow, a run does not. */
  getOutput(name) {
    return this.#find(this.#outputs, "output", name).values;
  }

  #find(matrices, kind, name) {
    const matrix = matrices.get(name);
    if (!matrix)
      throw new Nnet3Error(
        `there is no ${kind} '${name}', but there are ` +
          [...matrices.keys()].join(", "));
    return matrix;
  }

  /** Computes the request from `inputs`, and from inputs written before. */
  run(inputs = {}) {
    for (const [name, values] of Object.entries(inputs))
      this.#find(this.#inputs, "input", name).set(values, name);
    this.#module.call(
      "instance_run", this.#instance, this.#lists, this.#inputs.size,
      this.#lists + this.#inputs.size * MATRIX_BYTES, this.#outputs.size);
    return Object.fromEntries(
      [...this.#outputs].map(([name, matrix]) => [name, matrix.values]));
  }

  /** Frees the instance, once. */
  close() {
    if (this.#instance === 0)
      return;
    this.#module.exports[`${PREFIX}_instance_destroy`](this.#instance);
    for (const matrices of [this.#inputs, this.#outputs]) {
      matrices.forEach((matrix) => matrix.free());
      matrices.clear();
    }
    this.#module.free(this.#lists);
    this.#instance = 0;
  }
}
