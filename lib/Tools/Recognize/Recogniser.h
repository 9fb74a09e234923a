//===- Recogniser.h - From sound to words -----------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NNET3_LIB_TOOLS_RECOGNIZE_RECOGNISER_H
#define NNET3_LIB_TOOLS_RECOGNIZE_RECOGNISER_H

#include "RecognizeOptions.h"
#include "nnet3/Execution/LibraryRunner.h"
#include "nnet3/Execution/StreamedComputer.h"
#include "nnet3/Tools/Common/ModelFiles.h"
#include "nnet3/Tools/IvectorExtractor.h"
#include "nnet3/Tools/SoundFeatures.h"
#include "nnet3/runtime/decoder/BeamDecoder.h"

namespace mlir::nnet3 {

/// Processor time of each stage in seconds.
struct StageTimes {
  double features = 0, ivectors = 0, network = 0, decoding = 0;
  double getSum() const { return features + ivectors + network + decoding; }
};

/// Recognises utterances one after another. The words do not depend on how the
/// sound is split into pieces.
class Recogniser {
public:
  /// Emits errors.
  static FailureOr<std::unique_ptr<Recogniser>>
  create(const RecognizeOptions &options, MLIRContext *context);

  /// Begins an utterance. Returns an error message if the sample frequency or
  /// number of channels is not supported; otherwise an empty string.
  std::string begin(int32_t sampleFrequency, int32_t numChannels);
  /// Returns the channel that is read.
  int32_t getChannel() const { return features->getChannel(); }

  /// Appends samples, from -32768 to 32767. Emits errors.
  LogicalResult push(ArrayRef<float> samples);
  /// Ends the utterance. Emits errors.
  LogicalResult finish();

  /// Returns the words so far, or of the whole utterance, separated by blanks.
  std::string getText(bool isEnd) const;

  const StageTimes &getTimes() const { return times; }

private:
  using Matrix = ::nnet3::kaldi::Matrix;

  Recogniser(const RecognizeOptions &options, MLIRContext *context)
      : options(options), context(context) {}

  LogicalResult check(llvm::Error error);
  LogicalResult openModel();
  FailureOr<std::unique_ptr<ChunkStream>> openInterpreter();
  FailureOr<std::unique_ptr<ChunkStream>> openLibrary(StringRef path);
  LogicalResult openSound();
  LogicalResult openGraph();
  LogicalResult computeNew(bool isWhole);
  void findIvector(int64_t numFrames, bool isEnd);
  LogicalResult decode(const Matrix &rows);

  const RecognizeOptions &options;
  MLIRContext *context;
  std::unique_ptr<SoundFeatures> features;
  /// Null if the network reads no i-vectors.
  std::unique_ptr<IvectorExtractor> ivectors;
  ModelFile model;
  std::unique_ptr<RequestRunner> runner;
  std::unique_ptr<StreamedComputer> computer;
  std::vector<int32_t> outputOfTransition;
  std::optional<::nnet3::rt::DecodingGraph> graph;
  std::unique_ptr<::nnet3::rt::BeamDecoder> decoder;

  Utterance utterance;
  Matrix frames, ivector;
  int64_t numIvectorFrames = 0;
  StageTimes times;
};

} // namespace mlir::nnet3

#endif // NNET3_LIB_TOOLS_RECOGNIZE_RECOGNISER_H
