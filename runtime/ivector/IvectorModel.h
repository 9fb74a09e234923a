//===- IvectorModel.h - The files of an extractor ---------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_RUNTIME_IVECTOR_IVECTORMODEL_H
#define NNET3_RUNTIME_IVECTOR_IVECTORMODEL_H

#include "IvectorOptions.h"
#include "core/AlignedMemory.h"
#include "nnet3/runtime/MatrixView.h"

#include <new>

namespace nnet3 {
namespace rt {

class KaldiFile;

/// Numbers of which each frame reads some anywhere: in huge pages, where the
/// system has them.
class FloatTable {
public:
  /// Throws std::bad_alloc.
  void resize(int64_t size) {
    bytes = AlignedBytes(size * sizeof(float));
    if (!bytes.data())
      throw std::bad_alloc();
  }
  float *data() const { return reinterpret_cast<float *>(bytes.data()); }

private:
  AlignedBytes bytes;
};

/// The files of an extractor as the estimate needs them (spec: ivectors.md 1).
///
/// The i-vector v is kept without the prior's offset o: v = o e_0 + u. The
/// statistics of u are sums of differences from the means at v = o e_0, small
/// numbers, so that tables of floats serve.
struct IvectorModel {
  IvectorOptions options;
  SpliceOptions splice;
  CmvnOptions cmvn;

  int32_t featureDim = 0, splicedDim = 0, ldaDim = 0, ivectorDim = 0;
  int32_t numGaussians = 0;
  double priorOffset = 0;

  /// ldaDim x splicedDim, and what is added.
  std::vector<float> lda, ldaOffset;
  /// Of each feature the sum and the sum of squares over globalCount frames.
  std::vector<double> globalSum, globalSquares;
  double globalCount = 0;
  /// A Gaussian's log-likelihood of z is its constant and the dot product of
  /// its row, numGaussians x 2 ldaDim, with z and -0.5 z^2.
  std::vector<float> gaussianConstants, gaussians;

  /// For each Gaussian: its mean at v = o e_0, ldaDim; B = SigmaInv M, ldaDim x
  /// ivectorDim; the lower triangle of U = M' SigmaInv M by rows.
  std::vector<float> means;
  FloatTable linear, quadratic;

  /// Reads the files that the options name. Returns what is wrong, or an empty
  /// string.
  std::string load(const std::vector<std::string_view> &arguments);

  int64_t getPackedSize() const {
    return int64_t(ivectorDim) * (ivectorDim + 1) / 2;
  }
  ConstMatrixView getLda() const {
    return {lda.data(), ldaDim, splicedDim, splicedDim};
  }
  ConstMatrixView getGaussians() const {
    return {gaussians.data(), numGaussians, 2 * ldaDim, 2 * ldaDim};
  }

private:
  void loadCmvnStatistics(KaldiFile &file);
  void loadLda(KaldiFile &file);
  void loadMixture(KaldiFile &file);
  void loadExtractor(KaldiFile &file);
  void addGaussian(int32_t index, const std::vector<double> &projection,
                   const std::vector<double> &inverse);
};

} // namespace rt
} // namespace nnet3

#endif // NNET3_RUNTIME_IVECTOR_IVECTORMODEL_H
