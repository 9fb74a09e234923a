//===- NaturalGradient.h - Online natural gradient --------------*- C++ -*-===//
//
// Spec: components.md 4. Povey, Zhang, Khudanpur: "Parallel training of DNNs
// with natural gradient and parameter averaging", ICLR 2015 workshop.
//
//===----------------------------------------------------------------------===//

#ifndef NNET3_RUNTIME_TRAIN_NATURALGRADIENT_H
#define NNET3_RUNTIME_TRAIN_NATURALGRADIENT_H

#include "nnet3/runtime/MatrixView.h"

#include <cstdint>
#include <vector>

namespace nnet3 {
namespace runtime {

/// How a preconditioner estimates the covariance of the rows it sees.
struct NaturalGradientOptions {
  int32_t rank = 40;
  int32_t updatePeriod = 1;
  float numSamplesHistory = 2000;
  /// In place of numSamplesHistory where above 0.
  float numMinibatchesHistory = 0;
  float alpha = 4;
};

/// Tracks the uncentred covariance of rows as a matrix of low rank plus a
/// multiple of the identity, and multiplies rows by its inverse.
class NaturalGradient {
public:
  explicit NaturalGradient(const NaturalGradientOptions &options);

  /// Preconditions the rows of \p x in place. Returns the scale by which the
  /// caller has to multiply them to preserve the Frobenius norm. All calls have
  /// the same number of columns. Allocates in the first call, and where there
  /// are more rows than ever before.
  double precondition(MatrixView x);

  /// While frozen, rows are preconditioned but the estimate stays.
  void freeze(bool frozen) { isFrozen = frozen; }

private:
  NaturalGradientOptions options;
  bool isFrozen = false;
};

} // namespace runtime
} // namespace nnet3

#endif // NNET3_RUNTIME_TRAIN_NATURALGRADIENT_H
