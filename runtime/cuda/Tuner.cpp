//===- Tuner.cpp - Measuring the algorithms of matmuls --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/runtime/cuda/Tuner.h"
#include "nnet3/runtime/cuda/PlainProduct.h"

#include <algorithm>
#include <limits>
#include <set>

namespace nnet3 {
namespace rt {
namespace cuda {

/// Number of measured algorithms, in the order of cuBLASLt's heuristic.
static constexpr size_t kNumCandidates = 8;
static constexpr int kNumWarmUps = 2, kNumRuns = 10;

namespace {
/// Measures matmuls between two events in its own stream.
class Tuner {
public:
  explicit Tuner(const DeviceModel &model)
      : model(model), api(model.getApi()), arena(api), workspace(api) {}
  ~Tuner();

  Error open(size_t arenaBytes);
  /// Measures a launch, unless its matmul was measured with this alignment, and
  /// adds the best algorithm to `best`.
  Error tune(size_t number, const int64_t *places);

  Algorithms best;

private:
  Error measureAll(const Product &product, const ProductPlaces &at,
                   const AlgorithmKey &key);
  /// Sets \p time to the milliseconds of kNumRuns calls of \p enqueue.
  template <typename Enqueue> Error measure(Enqueue enqueue, float &time);

  const DeviceModel &model;
  const CudaApi &api;
  DeviceMemory arena, workspace;
  Stream stream = nullptr;
  Event begin = nullptr, end = nullptr;
  Blas blas = nullptr;
  std::set<AlgorithmKey> measured;
};
} // namespace

Tuner::~Tuner() {
  const auto lock = lockRecording();
  if (stream)
    api.driver.streamSynchronize(stream);
  if (blas)
    api.blas.destroy(blas);
  for (Event event : {begin, end})
    if (event)
      api.driver.eventDestroy(event);
  if (stream)
    api.driver.streamDestroy(stream);
}

Error Tuner::open(size_t arenaBytes) {
  const auto lock = lockRecording();
  Error error = api.driver.streamCreate(&stream, kStreamNonBlocking);
  for (Event *event : {&begin, &end})
    if (error == 0)
      error = api.driver.eventCreate(event, kEventDefault);
  if (error == 0)
    error = arena.allocate(arenaBytes);
  if (error == 0)
    error = workspace.allocate(kBlasWorkspaceBytes);
  if (error == 0)
    error = ofBlas(api.blas.create(&blas));
  if (error == 0)
    error = ofBlas(api.blas.setStream(blas, stream));
  if (error == 0)
    error = ofBlas(api.blas.setWorkspace(
        blas, reinterpret_cast<void *>(workspace.get()), kBlasWorkspaceBytes));
  return error;
}

template <typename Enqueue> Error Tuner::measure(Enqueue enqueue, float &time) {
  Error error = 0;
  for (int i = 0; i < kNumWarmUps && error == 0; ++i)
    error = enqueue();
  if (error == 0)
    error = api.driver.eventRecord(begin, stream);
  for (int i = 0; i < kNumRuns && error == 0; ++i)
    error = enqueue();
  if (error == 0)
    error = api.driver.eventRecord(end, stream);
  if (error == 0)
    error = api.driver.eventSynchronize(end);
  return error ? error : api.driver.eventElapsedTime(&time, begin, end);
}

Error Tuner::measureAll(const Product &product, const ProductPlaces &at,
                        const AlgorithmKey &key) {
  const int computeType = model.getComputeType(product);
  const FusedProduct call(api.blasLt, product, at, computeType);
  std::vector<BlasLtAlgo> candidates;
  Error error = call.findAll(model.getBlasLt(), kBlasWorkspaceBytes,
                             kNumCandidates, candidates);
  float least = std::numeric_limits<float>::infinity();
  if (error == 0 && !product.epilogue)
    error = measure(
        [&] { return multiply(api.blas, blas, product, at, computeType); },
        least);
  for (size_t i = 0; i < candidates.size() && error == 0; ++i) {
    float time = least;
    error = measure(
        [&] {
          return call.multiply(model.getBlasLt(), candidates[i],
                               workspace.get(), kBlasWorkspaceBytes, stream);
        },
        time);
    if (error == 0 && time < least)
      best[key] = candidates[i];
    least = std::min(least, time);
    // Skip algorithms that cuBLASLt rejects.
    if (error > kBlasErrors)
      error = 0;
  }
  return error > kBlasErrors ? 0 : error;
}

Error Tuner::tune(size_t number, const int64_t *places) {
  const Product &product = model.getKernel(number).product;
  const ProductPlaces at = model.getPlaces(product, arena.get(), places);
  const AlgorithmKey key(number, FusedProduct::getAlignment(product, at));
  return measured.insert(key).second ? measureAll(product, at, key) : 0;
}

/// Calls \p visit with the kernel number and the offsets of each forward matmul
/// that runs with cuBLASLt.
template <typename Visitor>
static Error forEachProduct(const DeviceModel &model,
                            const DeviceRequest &request, Visitor visit) {
  const std::vector<int64_t> &launches = request.launches;
  Error error = 0;
  for (size_t at = 0; at < launches.size() && error == 0;) {
    const auto number = static_cast<size_t>(launches[at]);
    const Kernel &kernel = model.getKernel(number);
    if (kernel.name.empty() && !kernel.step && kernel.form != Form::Apart &&
        kernel.product.factors == ProductFactors::Forward)
      error = visit(number, &launches[at + 1]);
    at += 1 + kernel.numPlaces;
  }
  return error;
}

Result<Algorithms> tune(const DeviceModel &model,
                        const std::vector<DeviceRequest> &requests) {
  const CudaApi &api = model.getApi();
  if (!model.getBlasLt())
    return Status(NNET3RT_NO_DEVICE, "cuBLASLt is not on this machine");
  uint64_t floats = 0;
  for (const DeviceRequest &request : requests) {
    Status status = model.check(request);
    if (!status.ok())
      return status;
    floats = std::max(floats, request.arenaFloats);
  }
  ContextScope scope(api, model.getContext());
  Error error = scope.getError();
  if (error)
    return makeStatus(api, error, "making a context current");
  Tuner tuner(model);
  error = tuner.open(sizeof(float) * floats);
  for (const DeviceRequest &request : requests)
    if (error == 0)
      error = forEachProduct(model, request,
                             [&](size_t number, const int64_t *places) {
                               return tuner.tune(number, places);
                             });
  if (error)
    return makeStatus(api, error, "measuring products");
  return std::move(tuner.best);
}

} // namespace cuda
} // namespace rt
} // namespace nnet3
