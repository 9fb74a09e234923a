//===- DeviceInstance.cpp - Runs of a request on a GPU --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/runtime/cuda/DeviceInstance.h"
#include "nnet3/runtime/cuda/PlainProduct.h"

#include <algorithm>

namespace nnet3 {
namespace rt {
namespace cuda {

Result<std::unique_ptr<DeviceInstance>>
DeviceInstance::create(const DeviceModel &model, const DeviceRequest &request,
                       Stream stream) {
  Status status = model.check(request);
  if (!status.ok())
    return status;
  std::unique_ptr<DeviceInstance> instance(new DeviceInstance(model, request));
  status = instance->open(stream);
  if (!status.ok())
    return status;
  return std::move(instance);
}

DeviceInstance::~DeviceInstance() {
  const auto lock = lockRecording();
  ContextScope scope(api, model.getContext());
  if (scope.isOver())
    return;
  if (stream)
    api.driver.streamSynchronize(stream);
  for (GraphExec graph : graphs)
    if (graph)
      api.driver.graphExecDestroy(graph);
  if (blas)
    api.blas.destroy(blas);
  if (staging)
    api.driver.hostFree(staging);
  if (done)
    api.driver.eventDestroy(done);
  if (ownStream)
    api.driver.streamDestroy(ownStream);
  arena.release();
  workspace.release();
}

static size_t getBytes(const std::vector<DeviceMatrix> &matrices) {
  size_t bytes = 0;
  for (const DeviceMatrix &matrix : matrices)
    bytes += matrix.getBytes();
  return bytes;
}

Status DeviceInstance::open(Stream given) {
  const auto lock = lockRecording();
  ContextScope scope(api, model.getContext());
  Error error = scope.getError();
  auto doNext = [&](auto &&step) {
    if (error == 0)
      error = step();
  };
  doNext(
      [&] { return api.driver.streamCreate(&ownStream, kStreamNonBlocking); });
  doNext([&] { return api.driver.eventCreate(&done, kEventDisableTiming); });
  doNext([&] { return arena.allocate(sizeof(float) * request.arenaFloats); });
  doNext([&] { return workspace.allocate(kBlasWorkspaceBytes); });
  const size_t bytes = getBytes(request.inputs) + getBytes(request.outputs);
  doNext([&] {
    return api.driver.hostAlloc(&staging, std::max<size_t>(1, bytes));
  });
  if (error)
    return makeStatus(api, error, "allocating memory");
  stream = given ? given : ownStream;
  doNext([&] { return ofBlas(api.blas.create(&blas)); });
  if (error)
    return makeStatus(api, error, "starting cuBLAS");
  api.tell("cuBLAS has started");
  if (!canFuse())
    form = Form::Apart;
  api.tell(form == Form::Apart ? "products are followed by kernels"
                               : "there are algorithms for all products");
  float *next = static_cast<float *>(staging);
  for (auto [matrices, places] : {std::pair(&request.inputs, &inputs),
                                  std::pair(&request.outputs, &outputs)})
    for (const DeviceMatrix &matrix : *matrices) {
      places->push_back(next);
      next += matrix.getBytes() / sizeof(float);
    }
  return Status();
}

MatrixView DeviceInstance::getInput(size_t number) {
  const DeviceMatrix &matrix = request.inputs[number];
  return MatrixView(inputs[number], matrix.rows, matrix.cols, matrix.cols);
}

ConstMatrixView DeviceInstance::getOutput(size_t number) const {
  const DeviceMatrix &matrix = request.outputs[number];
  return ConstMatrixView(outputs[number], matrix.rows, matrix.cols,
                         matrix.cols);
}

/// Sets the workspace again, because cublasSetStream() resets it.
Error DeviceInstance::useStream(Stream to) {
  if (to == blasStream)
    return 0;
  Error error = ofBlas(api.blas.setStream(blas, to));
  if (error == 0)
    error = ofBlas(api.blas.setWorkspace(
        blas, reinterpret_cast<void *>(workspace.get()), kBlasWorkspaceBytes));
  if (error == 0)
    blasStream = to;
  return error;
}

Error DeviceInstance::multiply(Stream to, size_t number,
                               const int64_t *places) {
  const Product &product = model.getKernel(number).product;
  const ProductPlaces at = model.getPlaces(product, arena.get(), places);
  const int computeType = model.getComputeType(product);
  if (const BlasLtAlgo *algo = model.findAlgo(number, at))
    return FusedProduct(api.blasLt, product, at, computeType)
        .multiply(model.getBlasLt(), *algo, workspace.get(),
                  kBlasWorkspaceBytes, to);
  return product.epilogue
             ? kBlasNotSupported
             : cuda::multiply(api.blas, blas, product, at, computeType);
}

template <typename Visitor>
Error DeviceInstance::forEachLaunch(Visitor visit) const {
  const std::vector<int64_t> &launches = request.launches;
  Error error = 0;
  for (size_t at = 0; at < launches.size() && error == 0;) {
    const auto number = static_cast<size_t>(launches[at]);
    const Kernel &kernel = model.getKernel(number);
    if (kernel.form == Form::Always || kernel.form == form)
      error = visit(number, &launches[at + 1]);
    at += 1 + kernel.numPlaces;
  }
  return error;
}

bool DeviceInstance::canFuse() const {
  return model.getBlasLt() &&
         forEachLaunch([&](size_t number, const int64_t *places) {
           const Product &product = model.getKernel(number).product;
           if (!product.epilogue)
             return 0;
           return model.findAlgo(number,
                                 model.getPlaces(product, arena.get(), places))
                      ? 0
                      : kBlasNotSupported;
         }) == 0;
}

Error DeviceInstance::launch(Stream to, size_t number, const int64_t *places) {
  const Kernel &kernel = model.getKernel(number);
  const Function function = model.getFunction(number);
  if (kernel.step)
    return steps->run(*kernel.step, kernel.numPlaces ? getPlace(*places) : 0,
                      to);
  if (!function)
    return multiply(to, number, places);
  Pointer pointers[] = {arena.get(), model.getWeights(), model.getRowTables()};
  std::vector<void *> parameters = {&pointers[0], &pointers[1], &pointers[2]};
  for (uint32_t i = 0; i < kernel.numPlaces; ++i)
    parameters.push_back(const_cast<int64_t *>(&places[i]));
  return api.driver.launchKernel(function, kernel.blocksX, kernel.blocksY, 1,
                                 kernel.threads, 1, 1, /*sharedBytes=*/0, to,
                                 parameters.data(), nullptr);
}

/// Describes a kernel for error messages.
static std::string describe(const Kernel &kernel, size_t number) {
  if (kernel.step)
    return "a step of '" + kernel.step->component + "'";
  if (!kernel.name.empty())
    return "kernel '" + kernel.name + "'";
  const Product &product = kernel.product;
  return "matmul " + std::to_string(number) + ", " +
         std::to_string(product.batches) + " x " +
         std::to_string(product.rows) + " x " +
         std::to_string(product.columns) + " by " +
         std::to_string(product.depth);
}

Error DeviceInstance::launchNext(Stream to, size_t number,
                                 const int64_t *places) {
  Error error = launch(to, number, places);
  if (error == 0 && api.debug.isSynchronous)
    error = api.driver.streamSynchronize(to);
  if (error)
    failed = describe(model.getKernel(number), number);
  return error;
}

Error DeviceInstance::enqueue(Stream to, bool withCopies) {
  Error error = useStream(to);
  for (size_t i = 0; withCopies && i < inputs.size() && error == 0; ++i)
    error =
        api.driver.copyToDevice(getPlace(request.inputs[i].place), inputs[i],
                                request.inputs[i].getBytes(), to);
  if (error == 0)
    error = forEachLaunch([&](size_t number, const int64_t *places) {
      return launchNext(to, number, places);
    });
  for (size_t i = 0; withCopies && i < outputs.size() && error == 0; ++i)
    error =
        api.driver.copyToHost(outputs[i], getPlace(request.outputs[i].place),
                              request.outputs[i].getBytes(), to);
  return error;
}

Error DeviceInstance::capture(bool withCopies) {
  const auto lock = lockRecording();
  Error error = api.driver.streamBeginCapture(ownStream, kCaptureRelaxed);
  if (error)
    return error;
  error = enqueue(ownStream, withCopies);
  Graph recorded = nullptr;
  // End the capture also after errors.
  const Error ended = api.driver.streamEndCapture(ownStream, &recorded);
  if (error == 0 || ended == kCaptureInvalidated)
    error = ended;
  if (error == 0)
    error = api.driver.graphInstantiate(&graphs[withCopies], recorded,
                                        /*flags=*/0);
  if (recorded)
    api.driver.graphDestroy(recorded);
  return error;
}

bool DeviceInstance::preconditions() const {
  return forEachLaunch([&](size_t number, const int64_t *) {
           const std::optional<Step> &step = model.getKernel(number).step;
           return step && !step->component.empty() ? 1 : 0;
         }) != 0;
}

bool DeviceInstance::canCapture() const {
  return !isCaptured && api.debug.usesGraphs &&
         !(steps && (steps->waits() || preconditions()));
}

/// Passes the words by value, because runs on device memory are enqueued before
/// earlier ones have finished. Not part of the graph, which would replay the
/// same values.
Error DeviceInstance::setRandomState() {
  if (!request.random)
    return 0;
  const uint32_t words[] = {static_cast<uint32_t>(seed),
                            static_cast<uint32_t>(seed >> 32), numRuns++,
                            static_cast<uint32_t>(randomDraws)};
  Pointer to = getPlace(*request.random);
  Error error = 0;
  for (uint32_t word : words) {
    if (error == 0)
      error = api.driver.setWords(to, word, /*count=*/1, stream);
    to += sizeof(float);
  }
  return error;
}

/// The first run uses no graph, because cuBLAS loads its kernels in it, which
/// is not possible during a capture. If the owner captures the stream, the
/// kernels are enqueued without a graph.
Error DeviceInstance::compute(bool withCopies) {
  GraphExec &graph = graphs[withCopies];
  Error error = 0;
  const bool usesGraph = canCapture();
  if (usesGraph && hasRun && !graph) {
    error = capture(withCopies);
    api.tell(error ? "no graph is recorded: " + api.getName(error)
                   : "a graph is recorded");
    // Another thread has synchronised the device: the next run tries again.
    if (error == kCaptureInvalidated && ++numSpoilt < kMaxSpoilt)
      error = 0;
  }
  if (error == 0)
    error = setRandomState();
  if (error == 0)
    error = graph && usesGraph ? api.driver.graphLaunch(graph, stream)
                               : enqueue(stream, withCopies);
  return error;
}

Status DeviceInstance::begin() {
  failed.clear();
  isCaptured = false;
  int status = kCaptureNone;
  if (stream != ownStream)
    if (Error error = api.driver.streamIsCapturing(stream, &status))
      return makeStatus(api, error, "asking for the state of its stream");
  isCaptured = status != kCaptureNone;
  return isCaptured && !hasRun
             ? invalidArgument("the stream is recorded: the first run of an "
                               "instance cannot be part of that")
             : Status();
}

/// Records the event for wait(), unless the owner captures the stream: captured
/// events cannot be waited for.
Status DeviceInstance::finish(Error error) {
  if (error == 0 && !isCaptured)
    error = api.driver.eventRecord(done, stream);
  hasRun = error == 0;
  return error ? makeStatus(api, error,
                            failed.empty() ? "running" : "running " + failed)
               : Status();
}

Status DeviceInstance::submit() {
  ContextScope scope(api, model.getContext());
  if (const Error error = scope.getError())
    return finish(error);
  Status status = begin();
  return status.ok() ? finish(compute(/*withCopies=*/true)) : status;
}

Error DeviceInstance::copyRows(const DeviceMatrix &matrix,
                               const DeviceRows &rows, bool toArena) {
  const Pointer place = getPlace(matrix.place);
  if (rows.stride == matrix.cols || matrix.rows == 1)
    return toArena ? api.driver.copyOnDevice(place, rows.data,
                                             matrix.getBytes(), stream)
                   : api.driver.copyOnDevice(rows.data, place,
                                             matrix.getBytes(), stream);
  Copy2d copy;
  copy.source = copy.dest = rows.data;
  copy.sourcePitch = copy.destPitch = sizeof(float) * rows.stride;
  (toArena ? copy.dest : copy.source) = place;
  copy.widthBytes = sizeof(float) * matrix.cols;
  (toArena ? copy.destPitch : copy.sourcePitch) = copy.widthBytes;
  copy.height = matrix.rows;
  return api.driver.copy2d(&copy, stream);
}

Status DeviceInstance::submitOnDevice(const std::vector<DeviceRows> &from,
                                      const std::vector<DeviceRows> &to) {
  ContextScope scope(api, model.getContext());
  Error error = scope.getError();
  if (error)
    return finish(error);
  Status status = begin();
  if (!status.ok())
    return status;
  for (size_t i = 0; i < from.size() && error == 0; ++i)
    error = copyRows(request.inputs[i], from[i], /*toArena=*/true);
  if (error == 0)
    error = compute(/*withCopies=*/false);
  for (size_t i = 0; i < to.size() && error == 0; ++i)
    if (to[i].data)
      error = copyRows(request.outputs[i], to[i], /*toArena=*/false);
  return finish(error);
}

Status DeviceInstance::wait() {
  ContextScope scope(api, model.getContext());
  Error error = scope.getError();
  if (error == 0)
    error = api.driver.eventSynchronize(done);
  return error ? makeStatus(api, error, "running") : Status();
}

Status DeviceInstance::run() {
  Status status = submit();
  return status.ok() ? wait() : status;
}

} // namespace cuda
} // namespace rt
} // namespace nnet3
