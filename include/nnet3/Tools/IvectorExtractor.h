//===- IvectorExtractor.h - Extraction of i-vectors -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NNET3_TOOLS_IVECTOREXTRACTOR_H
#define NNET3_TOOLS_IVECTOREXTRACTOR_H

#include "nnet3/Kaldi/Matrix/Matrix.h"
#include "nnet3/runtime/nnet3_ivector.h"

#include "llvm/Support/Error.h"
#include <memory>
#include <string>

namespace mlir::nnet3 {

/// Computes the i-vectors of one utterance after the other.
class IvectorExtractor {
public:
  /// `options` are those of `nnet3_ivector_create`.
  static llvm::Expected<std::unique_ptr<IvectorExtractor>>
  create(llvm::ArrayRef<std::string> options);

  int64_t getDim() const { return nnet3_ivector_dim(ivector.get()); }
  int64_t getFeatureDim() const {
    return nnet3_ivector_feature_dim(ivector.get());
  }
  int64_t getPeriod() const { return nnet3_ivector_period(ivector.get()); }
  nnet3_ivector_stream *getStream() const { return stream.get(); }

  void beginSpeaker() { (void)nnet3_ivector_reset(stream.get()); }
  void endUtterance() { (void)nnet3_ivector_next_utterance(stream.get()); }

  /// Adds frames, of which the first getFeatureDim() columns are read, and
  /// appends the new i-vectors to `ivectors`.
  void push(const float *rows, int64_t numRows, int64_t stride,
            ::nnet3::kaldi::Matrix &ivectors);
  /// Ends the utterance, and appends the remaining i-vectors.
  void finish(::nnet3::kaldi::Matrix &ivectors);
  /// Gets the i-vector of all frames so far.
  void getLatest(llvm::MutableArrayRef<float> vector) const {
    (void)nnet3_ivector_latest(stream.get(), vector.data());
  }
  /// Returns the improvement of the objective by the latest i-vector, per
  /// frame.
  nnet3_ivector_info getInfo() const;

private:
  using Ivector =
      std::unique_ptr<nnet3_ivector, decltype(&nnet3_ivector_destroy)>;
  using Stream =
      std::unique_ptr<nnet3_ivector_stream, decltype(&nnet3_ivector_close)>;

  IvectorExtractor(Ivector ivector, Stream stream)
      : ivector(std::move(ivector)), stream(std::move(stream)), row(getDim()) {}

  void append(::nnet3::kaldi::Matrix &ivectors) const;

  Ivector ivector;
  Stream stream;
  std::vector<float> row;
};

} // namespace mlir::nnet3

#endif // NNET3_TOOLS_IVECTOREXTRACTOR_H
