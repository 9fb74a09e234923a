//===- DeviceNaturalGradient.cpp - Natural gradient on a GPU --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The names are those of the spec, components.md 4.3: X the rows, W = sqrt(E) R
// the scaled basis, H = X W^T.
//
//===----------------------------------------------------------------------===//

#include "DeviceNaturalGradient.h"
#include "train/OrthonormalRows.h"

#include <cmath>

namespace nnet3 {
namespace rt {
namespace cuda {

/// Calls \p steps until one fails.
template <typename... Steps> static Error doAll(Steps... steps) {
  Error error = 0;
  (void)(((error = steps()) == 0) && ...);
  return error;
}

Error DeviceNaturalGradient::precondition(const DeviceView &x,
                                          bool isTransposed) {
  Rows rows = {x, isTransposed, {}};
  const int64_t columns = isTransposed ? x.rows : x.columns;
  if (columns == 1 || rows.count() == 0) // the rank would be 0
    return 0;
  Error error = finish();
  if (error == 0 && !basis) {
    estimate.begin(static_cast<int32_t>(columns));
    error = allocate();
  }
  const int64_t rank = estimate.getRank();
  rows.total = sumCount(rows.count());
  rows.coordinates = {0, rows.count(), rank, rank};
  if (error == 0)
    error = device.getScratch(rows.count() * rank, rows.coordinates.data);
  if (error == 0 && numSteps == 0)
    error = begin(rows);
  if (error)
    return error;
  isLearning = !isFrozen && estimate.updatesInStep(numSteps);
  error = doAll(
      [&] {
        return device.getKernels().squares(device.getStream(), before, x);
      },
      [&] { return sumFloats(before, UpdateKernels::kParts); },
      [&] { return multiplyByBasis(rows); },
      [&] { return isLearning ? gather(rows) : 0; },
      [&] { return removeProjection(rows); },
      [&] { return device.toHost(hostBefore, before, UpdateKernels::kParts); });
  pendingRows = error ? 0 : rows.total;
  return error;
}

Error DeviceNaturalGradient::restoreSquares(const DeviceView &x) {
  if (pendingRows == 0) // there was nothing to precondition
    return 0;
  const Stream stream = device.getStream();
  const UpdateKernels &kernels = device.getKernels();
  return doAll([&] { return kernels.squares(stream, after, x); },
               [&] { return sumFloats(after, UpdateKernels::kParts); },
               [&] { return kernels.rescale(stream, x, before, after); });
}

/// Returns the sum of \p count over processes.
int64_t DeviceNaturalGradient::sumCount(int64_t count) {
  if (!sumsRows || device.isAlone())
    return count;
  auto sum = static_cast<double>(count);
  device.getExchange()->sum(&sum, 1);
  return static_cast<int64_t>(sum);
}

Error DeviceNaturalGradient::sumFloats(Pointer place, int64_t count) {
  return sumsRows ? device.sumFloats(place, count) : 0;
}

//===----------------------------------------------------------------------===//
// Initialisation (spec: components.md 4.4)
//===----------------------------------------------------------------------===//

Error DeviceNaturalGradient::allocate() {
  const int64_t rank = estimate.getRank(), size = rank * estimate.getDim();
  const int64_t sizes[] = {size,
                           size,
                           rank,
                           2 * rank * rank,
                           rank * rank,
                           UpdateKernels::kParts,
                           UpdateKernels::kParts};
  auto align = [](int64_t floats) { return (floats + 63) / 64 * 64; };
  int64_t floats = 0;
  for (int64_t part : sizes)
    floats += align(part);
  Error error = memory.allocate(sizeof(float) * floats);
  if (error == 0)
    error = staging.allocate(rank + 3 * rank * rank + UpdateKernels::kParts);
  if (error)
    return error;
  Pointer next = memory.get();
  Pointer *places[] = {&basis, &other, &list, &gram, &square, &before, &after};
  for (size_t i = 0; i < std::size(sizes); ++i) {
    *places[i] = next;
    next += sizeof(float) * align(sizes[i]);
  }
  hostList = staging.get();
  hostGram = hostList + rank;
  hostSquare = hostGram + 2 * rank * rank;
  hostBefore = hostSquare + rank * rank;
  return 0;
}

Error DeviceNaturalGradient::setBasis(const std::vector<float> &values) {
  const Error error = device.toDevice(basis, values.data(), values.size());
  return error ? error : device.wait();
}

/// Updates the estimate with the first rows up to three times, so that the
/// basis converges to their principal directions. One update is exact if there
/// are no more rows than the rank.
Error DeviceNaturalGradient::begin(const Rows &rows) {
  const int32_t rank = estimate.getRank(), dim = estimate.getDim();
  estimate.begin(dim);
  std::vector<float> values(size_t(rank) * dim);
  estimate.setBasis(MatrixView(values.data(), rank, dim, dim));
  Error error = setBasis(values);
  for (int times = rows.total <= rank ? 1 : 3; times > 0 && error == 0;
       --times) {
    error = doAll(
        [&] {
          return device.getKernels().squares(device.getStream(), before,
                                             rows.x);
        },
        [&] { return sumFloats(before, UpdateKernels::kParts); },
        [&] { return multiplyByBasis(rows); }, [&] { return gather(rows); },
        [&] {
          return device.toHost(hostBefore, before, UpdateKernels::kParts);
        },
        [&] { return device.wait(); });
    pendingRows = rows.total;
    if (error == 0)
      error = learn();
  }
  pendingRows = 0;
  return error;
}

//===----------------------------------------------------------------------===//
// State
//===----------------------------------------------------------------------===//

Error DeviceNaturalGradient::download(PreconditionerState &state) {
  Error error = finish();
  state = {numSteps, estimate.getRho(), estimate.getDiagonal(), {}};
  if (error || !basis)
    return error;
  state.basis.resize(size_t(estimate.getRank()) * estimate.getDim());
  error = device.toHost(state.basis.data(), basis, state.basis.size());
  return error ? error : device.wait();
}

Error DeviceNaturalGradient::upload(const PreconditionerState &state) {
  // The state is one of the same options, so it fits.
  (void)estimate.restore(state);
  numSteps = state.steps;
  pendingRows = 0;
  const Error error = basis ? 0 : allocate();
  return error ? error : setBasis(state.basis);
}

//===----------------------------------------------------------------------===//
// Preconditioning
//===----------------------------------------------------------------------===//

/// H := X W^T.
Error DeviceNaturalGradient::multiplyByBasis(const Rows &rows) {
  return device.multiply(1, rows.x, rows.isTransposed, view(basis),
                         /*transposesB=*/true, 0, rows.coordinates);
}

/// X := X - H W.
Error DeviceNaturalGradient::removeProjection(const Rows &rows) {
  return rows.isTransposed
             ? device.multiply(-1, view(basis), /*transposesA=*/true,
                               rows.coordinates, /*transposesB=*/true, 1,
                               rows.x)
             : device.multiply(-1, rows.coordinates, /*transposesA=*/false,
                               view(basis), /*transposesB=*/false, 1, rows.x);
}

/// Computes B (train/FisherEstimate.h) and B B^T.
Error DeviceNaturalGradient::gather(const Rows &rows) {
  const auto count = static_cast<int32_t>(rows.total);
  const int32_t rank = estimate.getRank();
  for (int32_t r = 0; r < rank; ++r)
    hostList[r] = static_cast<float>(estimate.getKeptScale(r, count));
  const auto share = static_cast<float>(estimate.getEta(count) / count);
  return doAll(
      [&] {
        return device.multiply(share, rows.coordinates, /*transposesA=*/true,
                               rows.x, rows.isTransposed, 0, view(other));
      },
      [&] { return sumFloats(other, int64_t(rank) * estimate.getDim()); },
      [&] { return device.toDevice(list, hostList, rank); },
      [&] {
        return device.getKernels().addRows(device.getStream(), other, basis,
                                           list, rank, estimate.getDim());
      },
      [&] { return startGram(other); });
}

Error DeviceNaturalGradient::startGram(Pointer matrix) {
  const int64_t rank = estimate.getRank();
  const Error error = device.getKernels().gram(device.getStream(), gram, matrix,
                                               rank, estimate.getDim());
  return error ? error : device.toHost(hostGram, gram, 2 * rank * rank);
}

//===----------------------------------------------------------------------===//
// The update
//===----------------------------------------------------------------------===//

Error DeviceNaturalGradient::finish() {
  if (pendingRows == 0)
    return 0;
  Error error = device.wait();
  if (error == 0 && std::isfinite(addParts(hostBefore))) {
    if (isLearning)
      error = learn();
    ++numSteps;
  }
  pendingRows = 0;
  return error;
}

void DeviceNaturalGradient::readGram() {
  const int64_t rank = estimate.getRank();
  for (int64_t i = 0; i < rank * rank; ++i)
    estimate.gram()[i] = double(hostGram[2 * i]) + double(hostGram[2 * i + 1]);
}

/// Updates the estimate from the Gram matrix and sums on the host.
Error DeviceNaturalGradient::learn() {
  readGram();
  const FisherEstimate::Outcome outcome =
      estimate.update(static_cast<int32_t>(pendingRows), addParts(hostBefore));
  if (outcome == FisherEstimate::Outcome::Unchanged)
    return 0;
  const Error error = applyTransform();
  return error == 0 && outcome == FisherEstimate::Outcome::Inexact
             ? orthonormalize()
             : error;
}

/// basis := transform other.
Error DeviceNaturalGradient::applyTransform() {
  const int64_t rank = estimate.getRank();
  const std::vector<float> &transform = estimate.transform();
  std::copy(transform.begin(), transform.end(), hostSquare);
  return doAll([&] { return device.toDevice(square, hostSquare, rank * rank); },
               [&] {
                 return device.multiply(1, {square, rank, rank, rank}, false,
                                        view(other), false, 0, view(basis));
               });
}

/// Restores R R^T = I after rounding errors.
Error DeviceNaturalGradient::orthonormalize() {
  Error error = startGram(basis);
  if (error == 0)
    error = device.wait();
  if (error)
    return error;
  readGram();
  if (estimate.isOrthonormal())
    return 0;
  if (!estimate.orthonormalize())
    return orthonormalizeOnHost();
  std::swap(basis, other);
  return applyTransform();
}

Error DeviceNaturalGradient::orthonormalizeOnHost() {
  const int32_t rank = estimate.getRank(), dim = estimate.getDim();
  std::vector<float> values(size_t(rank) * dim), scratch(rank);
  Error error = device.toHost(values.data(), basis, values.size());
  if (error == 0)
    error = device.wait();
  if (error)
    return error;
  const MatrixView rows(values.data(), rank, dim, dim);
  orthonormalizeRows(rows, scratch.data());
  for (int32_t r = 0; r < rank; ++r)
    for (int32_t c = 0; c < dim; ++c)
      rows.row(r)[c] *= static_cast<float>(estimate.getLength(r));
  return setBasis(values);
}

} // namespace cuda
} // namespace rt
} // namespace nnet3
