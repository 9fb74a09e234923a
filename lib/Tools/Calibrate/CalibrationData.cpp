//===- CalibrationData.cpp - Utterances to measure networks on ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "CalibrationData.h"

#include "nnet3/Tools/Common/UtteranceReader.h"

using namespace ::nnet3::kaldi;
using namespace mlir;
using namespace mlir::nnet3;

llvm::Expected<CalibrationData>
CalibrationData::read(StringRef features, const UtteranceOptions &options,
                      int64_t maxFrames) {
  TableOptions tables;
  tables.warn = [](StringRef message) {
    llvm::errs() << "warning: " << message << "\n";
  };
  auto skip = [&](const Twine &reason) { tables.warn(reason.str()); };
  auto opened = SequentialMatrixReader::open(features.str(), tables);
  if (!opened)
    return opened.takeError();
  auto reader =
      UtteranceReader::open(std::move(*opened), options, tables, skip);
  if (!reader)
    return reader.takeError();
  CalibrationData data;
  for (int64_t left = maxFrames; left > 0;) {
    auto next = (*reader)->next();
    if (!next)
      return next.takeError();
    const Utterance *utterance = *next;
    if (!utterance)
      break;
    Kept kept = {utterance->key.str(), *utterance->features, {}, {}};
    if (utterance->ivector)
      kept.ivector = *utterance->ivector;
    if (utterance->onlineIvectors)
      kept.onlineIvectors = *utterance->onlineIvectors;
    kept.features.rows = std::min<int64_t>(kept.features.rows, left);
    kept.features.data.resize(kept.features.rows * kept.features.cols);
    left -= kept.features.rows;
    data.utterances.push_back(std::move(kept));
  }
  if (data.utterances.empty())
    return llvm::createStringError(
        ("'" + features + "' has no utterances to calibrate with").str());
  return data;
}

Utterance CalibrationData::get(size_t i) const {
  const Kept &kept = utterances[i];
  Utterance utterance;
  utterance.key = kept.key;
  utterance.features = &kept.features;
  utterance.ivector = kept.ivector ? &*kept.ivector : nullptr;
  utterance.onlineIvectors =
      kept.onlineIvectors ? &*kept.onlineIvectors : nullptr;
  return utterance;
}
