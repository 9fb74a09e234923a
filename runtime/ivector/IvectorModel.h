//===- IvectorModel.h - The files of an extractor ---------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_RUNTIME_IVECTOR_IVECTORMODEL_H
#define NNET3_RUNTIME_IVECTOR_IVECTORMODEL_H

#include "FloatTable.h"
#include "IvectorOptions.h"
#include "PackedAffine.h"

namespace nnet3 {
namespace rt {

class KaldiFile;

/// The data of an extractor (spec: ivectors.md 1).
///
/// The i-vector v is represented without the prior's offset o: v = o e_0 + u.
/// The statistics of u are sums of differences from the means at v = o e_0.
/// These are small, so that tables in float32 are accurate enough.
struct IvectorModel {
  IvectorOptions options;
  SpliceOptions splice;
  CmvnOptions cmvn;

  int32_t featureDim = 0, splicedDim = 0, ldaDim = 0, ivectorDim = 0;
  int32_t numGaussians = 0;
  double priorOffset = 0;

  /// Maps splicedDim to ldaDim.
  PackedAffine lda;
  /// Sum and sum of squares of each feature over globalCount frames.
  std::vector<double> globalSum, globalSquares;
  double globalCount = 0;
  /// Maps z and -0.5 z^2 to the log-likelihoods of the Gaussians.
  PackedAffine gaussians;

  /// For each Gaussian: `means` has its mean at v = o e_0, ldaDim; `linear` is
  /// B = SigmaInv M, ldaDim x ivectorDim; `quadratic` is the packed lower
  /// triangle of U = M' SigmaInv M.
  std::vector<float> means;
  FloatTable linear, quadratic;

  /// Reads the files that the options name. Returns an error message, or an
  /// empty string.
  std::string load(const std::vector<std::string_view> &arguments);

  int64_t getPackedSize() const {
    return int64_t(ivectorDim) * (ivectorDim + 1) / 2;
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
