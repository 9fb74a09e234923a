//===- DeviceNaturalGradient.h - Natural gradient on a GPU ------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Spec: components.md 4. The basis and the rows stay on the device; matrices of
// the size of the rank are copied to the host when the estimate is updated
// (train/FisherEstimate.h).
//
//===----------------------------------------------------------------------===//

#ifndef NNET3_RUNTIME_CUDA_DEVICENATURALGRADIENT_H
#define NNET3_RUNTIME_CUDA_DEVICENATURALGRADIENT_H

#include "TrainingDevice.h"
#include "train/FisherEstimate.h"

namespace nnet3 {
namespace rt {
namespace cuda {

class DeviceNaturalGradient {
public:
  /// \p device outlives it. With \p sumsRows, it estimates from the rows of all
  /// processes.
  DeviceNaturalGradient(TrainingDevice &device,
                        const NaturalGradientOptions &options, bool sumsRows)
      : device(device), sumsRows(sumsRows), estimate(options),
        memory(device.getApi()), staging(device.getApi()) {}

  /// Preconditions the rows of \p x, or its columns if \p isTransposed. All
  /// calls must have the same number of columns (rows if transposed).
  Error precondition(const DeviceView &x, bool isTransposed);

  /// Scales \p x to the sum of squares that it had before the latest
  /// precondition().
  Error restoreSquares(const DeviceView &x);

  /// Completes a pending update of the estimate from the latest call. Waits for
  /// the device, because the host computes a part of it.
  Error finish();

  /// Returns the state, after finish(). Waits for the device.
  Error download(PreconditionerState &state);
  /// Replaces the state by one that is not empty and of this device's options.
  /// Waits for the device.
  Error upload(const PreconditionerState &state);

  /// While frozen, rows are preconditioned without an update of the estimate.
  void freeze(bool frozen) { isFrozen = frozen; }

private:
  /// The preconditioned matrix, and H = X W^T.
  struct Rows {
    DeviceView x;
    bool isTransposed;
    DeviceView coordinates;
    int64_t total = 0; ///< number of rows, over processes if sumsRows
    int64_t count() const { return isTransposed ? x.columns : x.rows; }
  };

  Error allocate();
  int64_t sumCount(int64_t count);
  Error sumFloats(Pointer place, int64_t count);
  Error begin(const Rows &rows);
  Error setBasis(const std::vector<float> &values);
  Error multiplyByBasis(const Rows &rows);
  Error removeProjection(const Rows &rows);
  Error gather(const Rows &rows);
  Error startGram(Pointer matrix);
  void readGram();
  Error learn();
  Error applyTransform();
  Error orthonormalize();
  Error orthonormalizeOnHost();
  DeviceView view(Pointer matrix) const {
    return {matrix, estimate.getRank(), estimate.getDim(), estimate.getDim()};
  }

  TrainingDevice &device;
  bool sumsRows;
  FisherEstimate estimate;
  DeviceMemory memory;
  StagingMemory staging;
  /// Buffers in `memory`: `basis` is sqrt(E) R, `other` has the same size, rank
  /// x dim; `list` has a number per row of the basis; `gram` and `square` are
  /// rank x rank; `before` and `after` are sums of squares.
  Pointer basis = 0, other = 0, list = 0, gram = 0, square = 0, before = 0,
          after = 0;
  /// Host copies of these buffers.
  float *hostList = nullptr, *hostGram = nullptr, *hostSquare = nullptr,
        *hostBefore = nullptr;
  bool isFrozen = false;
  int64_t numSteps = 0;
  int64_t pendingRows = 0; ///< of the latest call; 0 after finish()
  bool isLearning = false; ///< whether the latest call updates the estimate
};

} // namespace cuda
} // namespace rt
} // namespace nnet3

#endif // NNET3_RUNTIME_CUDA_DEVICENATURALGRADIENT_H
