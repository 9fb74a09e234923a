//===- DeviceInstance.cpp - Runs of a request on a GPU --------------------===//

#include "nnet3/runtime/cuda/DeviceInstance.h"

#include <algorithm>

namespace nnet3 {
namespace runtime {
namespace cuda {

/// Of cuBLAS, which may not allocate while a graph is captured: what its
/// documentation recommends for the latest devices.
static constexpr size_t kWorkspaceBytes = size_t(32) << 20;

Result<std::unique_ptr<DeviceInstance>>
DeviceInstance::create(const DeviceModel &model, const DeviceRequest &request) {
  Status status = model.check(request);
  if (!status.ok())
    return status;
  std::unique_ptr<DeviceInstance> instance(new DeviceInstance(model, request));
  status = instance->open();
  if (!status.ok())
    return status;
  return std::move(instance);
}

DeviceInstance::~DeviceInstance() {
  ContextScope scope(api, model.getContext());
  if (stream)
    api.driver.streamSynchronize(stream);
  if (graph)
    api.driver.graphExecDestroy(graph);
  if (blas)
    api.blas.destroy(blas);
  if (staging)
    api.driver.hostFree(staging);
  if (stream)
    api.driver.streamDestroy(stream);
  arena.release();
  workspace.release();
}

static size_t getBytes(const std::vector<DeviceMatrix> &matrices) {
  size_t bytes = 0;
  for (const DeviceMatrix &matrix : matrices)
    bytes += matrix.getBytes();
  return bytes;
}

Status DeviceInstance::open() {
  ContextScope scope(api, model.getContext());
  Error error = scope.getError();
  auto doNext = [&](auto &&step) {
    if (error == 0)
      error = step();
  };
  doNext([&] { return api.driver.streamCreate(&stream, kStreamNonBlocking); });
  doNext([&] { return arena.allocate(sizeof(float) * request.arenaFloats); });
  doNext([&] { return workspace.allocate(kWorkspaceBytes); });
  const size_t bytes = getBytes(request.inputs) + getBytes(request.outputs);
  doNext([&] {
    return api.driver.hostAlloc(&staging, std::max<size_t>(1, bytes));
  });
  if (error)
    return makeStatus(api, error, "allocating memory");
  doNext([&] { return api.blas.create(&blas); });
  doNext([&] { return api.blas.setStream(blas, stream); });
  doNext([&] {
    return api.blas.setWorkspace(
        blas, reinterpret_cast<void *>(workspace.get()), kWorkspaceBytes);
  });
  doNext([&] { return api.blas.setMathMode(blas, kMathDefault); });
  if (error)
    return Status(NNET3RT_NO_DEVICE,
                  "cuBLAS does not start: error " + std::to_string(error));
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

/// Y^T := W X^T + beta Y^T, column by column.
Error DeviceInstance::multiply(const Product &product, const int64_t *places) {
  const float one = 1;
  auto pointer = [](Pointer base, int64_t place) {
    return reinterpret_cast<float *>(base + sizeof(float) * place);
  };
  return api.blas.gemm(
      blas, kTranspose, kNoTranspose, product.columns, product.rows,
      product.depth, &one, pointer(model.getWeights(), places[0]),
      product.weightsStride, /*strideA=*/0, pointer(arena.get(), places[1]),
      product.inputStride, product.inputBatch, &product.beta,
      pointer(arena.get(), places[2]), product.outputStride,
      product.outputBatch, product.batches);
}

Error DeviceInstance::launch(size_t number, const int64_t *places) {
  const Kernel &kernel = model.getKernel(number);
  const Function function = model.getFunction(number);
  if (!function)
    return multiply(kernel.product, places);
  Pointer pointers[] = {arena.get(), model.getWeights(), model.getRowTables()};
  std::vector<void *> parameters = {&pointers[0], &pointers[1], &pointers[2]};
  for (uint32_t i = 0; i < kernel.numPlaces; ++i)
    parameters.push_back(const_cast<int64_t *>(&places[i]));
  return api.driver.launchKernel(function, kernel.blocksX, kernel.blocksY, 1,
                                 kernel.threads, 1, 1, /*sharedBytes=*/0,
                                 stream, parameters.data(), nullptr);
}

Error DeviceInstance::enqueue() {
  Error error = 0;
  for (size_t i = 0; i < inputs.size() && error == 0; ++i)
    error =
        api.driver.copyToDevice(getPlace(request.inputs[i].place), inputs[i],
                                request.inputs[i].getBytes(), stream);
  const std::vector<int64_t> &launches = request.launches;
  for (size_t at = 0; at < launches.size() && error == 0;) {
    const auto number = static_cast<size_t>(launches[at]);
    error = launch(number, &launches[at + 1]);
    at += 1 + model.getKernel(number).numPlaces;
  }
  for (size_t i = 0; i < outputs.size() && error == 0; ++i)
    error =
        api.driver.copyToHost(outputs[i], getPlace(request.outputs[i].place),
                              request.outputs[i].getBytes(), stream);
  return error;
}

Error DeviceInstance::capture() {
  Error error = api.driver.streamBeginCapture(stream, kCaptureThreadLocal);
  if (error)
    return error;
  error = enqueue();
  Graph recorded = nullptr;
  // Ends the capture also where something in it has failed.
  const Error ended = api.driver.streamEndCapture(stream, &recorded);
  if (error == 0)
    error = ended;
  if (error == 0)
    error = api.driver.graphInstantiate(&graph, recorded, /*flags=*/0);
  if (recorded)
    api.driver.graphDestroy(recorded);
  return error;
}

Status DeviceInstance::run() {
  ContextScope scope(api, model.getContext());
  Error error = scope.getError();
  if (error == 0 && hasRun && !graph)
    error = capture();
  if (error == 0)
    error = graph ? api.driver.graphLaunch(graph, stream) : enqueue();
  if (error == 0)
    error = api.driver.streamSynchronize(stream);
  hasRun = error == 0;
  return error ? makeStatus(api, error, "running") : Status();
}

} // namespace cuda
} // namespace runtime
} // namespace nnet3
