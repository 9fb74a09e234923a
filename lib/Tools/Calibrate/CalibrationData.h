//===- CalibrationData.h - Utterances to measure networks on ----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_TOOLS_CALIBRATE_CALIBRATIONDATA_H
#define NNET3_TOOLS_CALIBRATE_CALIBRATIONDATA_H

#include "nnet3/Tools/Common/UtteranceOptions.h"

#include <optional>

namespace mlir::nnet3 {

/// Utterances in memory.
class CalibrationData {
public:
  /// Reads the first utterances of the table `features`, `maxFrames` frames in
  /// total; the last one is cut. The error says why there are none.
  static llvm::Expected<CalibrationData> read(llvm::StringRef features,
                                              const UtteranceOptions &options,
                                              int64_t maxFrames);

  size_t size() const { return utterances.size(); }
  /// Returns utterance `i`, which refers to the data.
  Utterance get(size_t i) const;

private:
  struct Kept {
    std::string key;
    ::nnet3::kaldi::Matrix features;
    std::optional<std::vector<float>> ivector;
    std::optional<::nnet3::kaldi::Matrix> onlineIvectors;
  };

  std::vector<Kept> utterances;
};

} // namespace mlir::nnet3

#endif // NNET3_TOOLS_CALIBRATE_CALIBRATIONDATA_H
