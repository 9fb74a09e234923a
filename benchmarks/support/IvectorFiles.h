//===- IvectorFiles.h - An i-vector extractor of typical size ---*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_BENCHMARKS_IVECTORFILES_H
#define NNET3_BENCHMARKS_IVECTORFILES_H

#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace mlir::nnet3::benchmarks {

/// Files of an i-vector extractor with random parameters and the sizes that
/// recipes use: 40 features, spliced with three frames on each side, 512
/// Gaussians of dimension 40. The destructor removes the files.
class IvectorFiles {
public:
  static constexpr int32_t kFeatures = 40, kLda = 40, kGaussians = 512;

  explicit IvectorFiles(int32_t ivectorDim);
  ~IvectorFiles();

  std::vector<std::string> getOptions() const;

  /// Returns speech-like frames: runs of consecutive frames are near the mean
  /// of one Gaussian.
  std::vector<float> makeFrames(int64_t count);

private:
  void writeMatrix(const std::string &file, int32_t rows, int32_t cols,
                   const std::vector<float> &values) const;
  void writeMixture() const;
  void writeExtractor(int32_t ivectorDim);

  std::string folder;
  std::minstd_rand generator;
  /// Shape kGaussians x kLda.
  std::vector<float> means;
};

} // namespace mlir::nnet3::benchmarks

#endif // NNET3_BENCHMARKS_IVECTORFILES_H
