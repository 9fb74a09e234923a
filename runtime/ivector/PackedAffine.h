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

/// An affine map whose weights are packed once. BLAS packs them in each GEMM,
/// which takes as long as the GEMM for the few frames between two i-vectors.
/// The order of summation does not depend on the number of rows.
class PackedAffine {
public:
  /// \p weights has a row for each output. Throws std::bad_alloc.
  void pack(ConstMatrixView weights, const std::vector<float> &offsets);

  /// out := in * weights^T + offsets, for each row.
  void apply(ConstMatrixView in, MatrixView out) const;

private:
  int64_t numInputs = 0, numOutputs = 0;
  /// Panels of sixteen outputs: their offsets, then their weights for each
  /// input. The last panel is padded with zeros.
  FloatTable panels;
};

} // namespace rt
} // namespace nnet3

#endif // NNET3_RUNTIME_IVECTOR_PACKEDAFFINE_H
