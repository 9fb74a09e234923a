//===- FusedProduct.cpp - Matmuls with an epilogue ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/runtime/cuda/FusedProduct.h"

namespace nnet3 {
namespace rt {
namespace cuda {

FusedProduct::FusedProduct(const BlasLtApi &api, const Product &product,
                           const ProductPlaces &places, int computeType)
    : api(api), product(product), places(places),
      error(ofBlas(open(computeType))) {}

FusedProduct::~FusedProduct() {
  for (BlasLtLayout layout : {weights, input, output})
    if (layout)
      api.layoutDestroy(layout);
  if (desc)
    api.descDestroy(desc);
}

/// Makes the column-major layout of a row-major matrix; \p distance is the
/// batch stride.
Error FusedProduct::makeLayout(BlasLtLayout &layout, int type, int rows,
                               int columns, int stride, int64_t distance) {
  Error failed = api.layoutCreate(&layout, type, columns, rows, stride);
  if (failed == 0)
    failed = api.layoutSet(layout, kLayoutBatchCount, &product.batches,
                           sizeof(product.batches));
  if (failed == 0)
    failed = api.layoutSet(layout, kLayoutBatchDistance, &distance,
                           sizeof(distance));
  return failed;
}

/// Y^T := f(W X^T + beta Y^T + bias), column-major.
Error FusedProduct::open(int computeType) {
  Error failed = api.descCreate(&desc, computeType, kFloat32);
  auto set = [&](int attribute, const auto &value) {
    if (failed == 0)
      failed = api.descSet(desc, attribute, &value, sizeof(value));
  };
  const int32_t transpose = kTranspose;
  const int32_t epilogue = product.epilogue ? product.epilogue : kEpilogueNone;
  set(kDescTransposeA, transpose);
  set(kDescEpilogue, epilogue);
  if (places.bias)
    set(kDescBias, places.bias);
  if (failed == 0)
    failed = makeLayout(weights, product.factorType, product.columns,
                        product.depth, product.weightsStride, 0);
  if (failed == 0)
    failed = makeLayout(input, product.factorType, product.rows, product.depth,
                        product.inputStride, product.inputBatch);
  if (failed == 0)
    failed = makeLayout(output, kFloat32, product.rows, product.columns,
                        product.outputStride, product.outputBatch);
  return failed;
}

uint32_t FusedProduct::getAlignment(const Product &product,
                                    const ProductPlaces &places) {
  const int64_t factors =
      product.inputStride | product.weightsStride | product.inputBatch;
  const int64_t outputs = product.outputStride | product.outputBatch;
  const uint64_t bits =
      places.weights | places.input | places.output | places.bias |
      static_cast<uint64_t>(product.getFactorBytes() * factors) |
      sizeof(float) * static_cast<uint64_t>(outputs);
  return bits % 16 == 0 ? 16 : 4;
}

Error FusedProduct::find(BlasLt handle, size_t workspaceBytes,
                         BlasLtAlgo &algo) const {
  std::vector<BlasLtAlgo> algos;
  const Error failed = findAll(handle, workspaceBytes, 1, algos);
  if (failed == 0)
    algo = algos[0];
  return failed;
}

Error FusedProduct::findAll(BlasLt handle, size_t workspaceBytes, size_t count,
                            std::vector<BlasLtAlgo> &algos) const {
  if (error)
    return error;
  BlasLtPreference preference = nullptr;
  Error failed = api.preferenceCreate(&preference);
  auto set = [&](int attribute, const auto &value) {
    if (failed == 0)
      failed = api.preferenceSet(preference, attribute, &value, sizeof(value));
  };
  set(kPreferenceWorkspace, static_cast<uint64_t>(workspaceBytes));
  for (int attribute : kPreferenceAlignments)
    set(attribute, getAlignment(product, places));
  std::vector<BlasLtHeuristic> best(count);
  int found = 0;
  if (failed == 0)
    failed =
        api.heuristic(handle, desc, weights, input, output, output, preference,
                      static_cast<int>(count), best.data(), &found);
  if (preference)
    api.preferenceDestroy(preference);
  if (failed)
    return ofBlas(failed);
  for (int i = 0; i < found; ++i)
    if (best[i].status == 0)
      algos.push_back(best[i].algo);
  return algos.empty() ? kBlasNotSupported : 0;
}

Error FusedProduct::check(BlasLt handle, size_t workspaceBytes,
                          const BlasLtAlgo &algo) const {
  if (error)
    return error;
  BlasLtHeuristic result;
  const Error failed =
      api.check(handle, desc, weights, input, output, output, &algo, &result);
  if (failed)
    return ofBlas(failed);
  return result.workspaceBytes <= workspaceBytes ? 0 : kBlasNotSupported;
}

Error FusedProduct::multiply(BlasLt handle, const BlasLtAlgo &algo,
                             Pointer workspace, size_t workspaceBytes,
                             Stream stream) const {
  if (error)
    return error;
  const float one = 1;
  auto address = [](Pointer pointer) {
    return reinterpret_cast<float *>(pointer);
  };
  return ofBlas(api.matmul(handle, desc, &one, address(places.weights), weights,
                           address(places.input), input, &product.beta,
                           address(places.output), output,
                           address(places.output), output, &algo,
                           address(workspace), workspaceBytes, stream));
}

} // namespace cuda
} // namespace rt
} // namespace nnet3
