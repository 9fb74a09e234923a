//===- RecognizeOptions.h - The command line of nnet3-recognize -*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NNET3_LIB_TOOLS_RECOGNIZE_RECOGNIZEOPTIONS_H
#define NNET3_LIB_TOOLS_RECOGNIZE_RECOGNIZEOPTIONS_H

#include "nnet3/Tools/Common/Program.h"

namespace mlir::nnet3 {

/// Default chunk lengths in frames, for live sound and for files.
constexpr int32_t kLiveChunk = 21, kFileChunk = 51;

/// The options of the program. `conf/model.conf` in the model's folder is read
/// first.
struct RecognizeOptions : ProgramOptions {
  RecognizeOptions() { printArgs = false; }

  std::string folder;
  std::vector<std::string> sounds;
  /// The folder of the graph; `graph` in the model's folder if empty.
  std::string graph;
  bool live = false;
  int32_t channel = -1;

  // Options of the search.
  float beam = 13, acousticScale = 1;
  int32_t maxActive = 7000, minActive = 200;

  // The network.
  /// The backend, `library` or `interpreter`.
  std::string backend = "library";
  /// A library of nnet3-compile; empty means that one is compiled.
  std::string library;
  std::string precision = "f32";
  /// Chunk length in frames; 0 means the default.
  int32_t framesPerChunk = 0;
  int32_t frameSubsamplingFactor = 1;
  int32_t numThreads = 1;
  std::string cache;

  void registerOptions(OptionParser &parser) override;
  llvm::Error finish(llvm::ArrayRef<std::string> positional) override;

  /// Returns the chunk lengths of all backends in ascending order. A chunk uses
  /// the i-vector of its last frame, so the outputs depend on the lengths.
  llvm::SmallVector<int64_t> getChunkLengths() const;
  /// Returns the path of a file in the model's folder.
  std::string getPath(llvm::StringRef file) const;
};

/// Parses the command line after the model's own configuration. Returns the
/// exit status if there is nothing to run.
std::optional<int> parseRecognizeOptions(int argc, char **argv,
                                         RecognizeOptions &options);

} // namespace mlir::nnet3

#endif // NNET3_LIB_TOOLS_RECOGNIZE_RECOGNIZEOPTIONS_H
