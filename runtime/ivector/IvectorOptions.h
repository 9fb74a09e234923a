//===- IvectorOptions.h - Options of i-vector extraction --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_RUNTIME_IVECTOR_IVECTOROPTIONS_H
#define NNET3_RUNTIME_IVECTOR_IVECTOROPTIONS_H

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace nnet3 {
namespace rt {

/// The content of --splice-config.
struct SpliceOptions {
  int32_t leftContext = 4, rightContext = 4;

  /// Parses the text of the file. Returns an error message, prefixed with
  /// `LINE:COLUMN: ` if it is in a line, or an empty string.
  std::string parse(std::string_view text);

  int32_t getNumFrames() const { return leftContext + 1 + rightContext; }
};

/// The content of --cmvn-config (spec: ivectors.md 2).
struct CmvnOptions {
  /// The size of the window in frames, and the largest numbers of frames that
  /// are filled up from the speaker's and from the global statistics.
  int32_t window = 600, speakerFrames = 600, globalFrames = 200;
  bool normMeans = true, normVars = false;
  /// Columns that are not normalised.
  std::vector<int32_t> skippedColumns;

  std::string parse(std::string_view text);
};

/// The options of the estimate (spec: ivectors.md 9).
struct IvectorOptions {
  std::string ldaMatrix, globalCmvnStats, cmvnConfig, spliceConfig, diagUbm,
      ivectorExtractor;
  int32_t period = 10;
  int32_t numGselect = 5;
  float minPost = 0.025f;
  float posteriorScale = 0.1f;
  float maxCount = 0;
  float maxRememberedFrames = 1000;
  bool greedy = false;
  bool useMostRecent = true;
  /// Whether the statistics use normalised features, too.
  bool normalisedStatistics = false;
  bool repeat = false;
  /// Whether the system is solved exactly; Kaldi uses conjugate gradients.
  bool exactSolve = false;

  /// Sets options, `--name=value` each. Returns an error message, or an empty
  /// string.
  std::string parse(const std::vector<std::string_view> &arguments);

  /// Whether i-vectors are available from nnet3_ivector_latest() only.
  bool givesLatest() const { return useMostRecent || greedy; }

private:
  std::string set(std::string_view name, std::string_view value);
  std::string readConfig(const std::string &path);
  std::string check() const;
};

/// Reads a whole text file. Returns an error message, or an empty string.
std::string readTextFile(const std::string &path, std::string &text);

} // namespace rt
} // namespace nnet3

#endif // NNET3_RUNTIME_IVECTOR_IVECTOROPTIONS_H
