//===- PackedAffine.h - Affine maps of a few rows ---------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_RUNTIME_IVECTOR_PACKEDAFFINE_H
#define NNET3_RUNTIME_IVECTOR_PACKEDAFFINE_H

#include "FloatTable.h"
#include "nnet3/runtime/MatrixView.h"

#include <vector>

namespace nnet3 {
namespace rt {

/// An affine map whose weights are packed once. A BLAS packs them for each
/// product, which for the few frames between two i-vectors takes as long as the
/// product. The order of a sum does not depend on the number of rows.
class PackedAffine {
public:
  /// \p weights has a row for each output. Throws std::bad_alloc.
  void pack(ConstMatrixView weights, const std::vector<float> &offsets);

  /// out := in * weights^T + offsets, for each row.
  void apply(ConstMatrixView in, MatrixView out) const;

private:
  int64_t numInputs = 0, numOutputs = 0;
  /// For each sixteen outputs: their offsets, and then for each input their
  /// weights. Outputs that are not there have zeros.
  FloatTable panels;
};

} // namespace rt
} // namespace nnet3

#endif // NNET3_RUNTIME_IVECTOR_PACKEDAFFINE_H
