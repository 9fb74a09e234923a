
// ---- Files ------------------------------------------------------------------

const isNode = typeof process === "object" && !!process.versions?.node;

/** The name of a file that Node reads; null for what fetch() gets. */
async function getPath(source) {
  const isUrl = source instanceof URL || /^[a-z]+:\/\//.test(source);
  if (!isNode || (isUrl && !String(source).startsWith("file:")))
    return null;
  if (!isUrl)
    return source;
  const { fileURLToPath } = await import(/* webpackIgnore: true */ "node:url");
  return fileURLToPath(source);
}

async function openFile(path) {
  const fs = await import(/* webpackIgnore: true */ "node:fs/promises");
  try {
    return await fs.open(path);
  } catch (error) {
    throw new Nnet3Error(`cannot open ${path}: ${error.message}`);
  }
}

async function request(source) {
  const response = await fetch(source);
  if (!response.ok)
    throw new Nnet3Error(`cannot load ${source}: status ${response.status}`);
  return response;
}

function getBytes(source) {
  if (source instanceof ArrayBuffer)
    return new Uint8Array(source);
  if (ArrayBuffer.isView(source))
    return new Uint8Array(source.buffer, source.byteOffset, source.byteLength);
  return null;
}

/** The error of a file or a connection, whatever has found it. */
function getSourceError(source, error) {
  if (error instanceof Nnet3Error)
    return error;
  const name = source instanceof Response ? source.url : String(source);
  return new Nnet3Error(`cannot load ${name}: ${error.message}`);
}

/** Gives the bytes of `source` piece by piece. */
async function* readPieces(source) {
  try {
    yield* readSource(source);
  } catch (error) {
    throw getSourceError(source, error);
  }
}

async function* readSource(source) {
  const bytes = getBytes(source);
  if (bytes) {
    yield bytes;
    return;
  }
  const isStream = typeof source.getReader === "function";
  const path =
    isStream || source instanceof Response ? null : await getPath(source);
  if (path !== null) {
    const file = await openFile(path);
    yield* file.createReadStream({ highWaterMark: 1 << 20 });
    return;
  }
  let stream = source;
  if (!isStream) {
    const response =
      source instanceof Response ? source : await request(source);
    stream = response.body;
  }
  const reader = stream.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done)
      return;
    yield value;
  }
}

async function compileFrom(source) {
  const bytes = getBytes(source);
  if (bytes)
    return WebAssembly.compile(bytes);
  const path = source instanceof Response ? null : await getPath(source);
  if (path !== null) {
    const file = await openFile(path);
    try {
      return await WebAssembly.compile(await file.readFile());
    } finally {
      await file.close();
    }
  }
  const response = source instanceof Response ? source : await request(source);
  const type = response.headers.get("Content-Type") ?? "";
  return type.startsWith("application/wasm")
    ? WebAssembly.compileStreaming(response)
    : WebAssembly.compile(await response.arrayBuffer());
}

async function compile(source) {
  if (source instanceof WebAssembly.Module)
    return source;
  const missing = getMissing();
  if (missing.length > 0)
    throw new Nnet3Error(
      `this library needs WebAssembly with ${missing.join(", ")}, which this ` +
        "browser does not have");
  try {
    return await compileFrom(source);
  } catch (error) {
    if (error instanceof WebAssembly.CompileError)
      throw new Nnet3Error(
        `this browser cannot compile the module: ${error.message}`);
    throw getSourceError(source, error);
  }
}
