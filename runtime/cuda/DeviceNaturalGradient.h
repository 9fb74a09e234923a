//===- DeviceNaturalGradient.h - Natural gradient on a GPU ------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Spec: components.md 4. The basis stays on the device, and so do the rows;
// what has the size of the rank goes to the host when the estimate is updated
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
  /// \p device outlives it.
  DeviceNaturalGradient(TrainingDevice &device,
                        const NaturalGradientOptions &options)
      : device(device), estimate(options), memory(device.getApi()),
        staging(device.getApi()) {}

  /// Preconditions the rows of \p x, or its columns. All calls have the same
  /// number of columns, or of rows.
  Error precondition(const DeviceView &x, bool isTransposed);

  /// Multiplies \p x such that its sum of squares is what it was before the
  /// latest call.
  Error restoreSquares(const DeviceView &x);

  /// Lets the estimate learn from the rows of the latest call, where it has not
  /// yet; returns when the host has done its part.
  Error finish();

  /// While frozen, rows are preconditioned but the estimate stays.
  void freeze(bool frozen) { isFrozen = frozen; }

private:
  /// What is preconditioned, and its coordinates in the basis.
  struct Rows {
    DeviceView x;
    bool isTransposed;
    DeviceView coordinates;
    int64_t count() const { return isTransposed ? x.columns : x.rows; }
  };

  Error allocate(int64_t columns);
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
  FisherEstimate estimate;
  DeviceMemory memory;
  StagingMemory staging;
  /// Parts of `memory`: sqrt(E) R and another matrix of that size, rank x dim;
  /// numbers of the rows of the basis; squares of the rank; sums of squares of
  /// the rows, before and after.
  Pointer basis = 0, other = 0, list = 0, gram = 0, square = 0, before = 0,
          after = 0;
  /// The same on the host.
  float *hostList = nullptr, *hostGram = nullptr, *hostSquare = nullptr,
        *hostBefore = nullptr;
  bool isFrozen = false;
  int64_t numSteps = 0;
  int64_t pendingRows = 0; ///< of the latest call; 0 where that is finished
  bool isLearning = false; ///< whether it updates the estimate
};

} // namespace cuda
} // namespace rt
} // namespace nnet3

#endif // NNET3_RUNTIME_CUDA_DEVICENATURALGRADIENT_H
