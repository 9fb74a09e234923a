//===- UtteranceReader.cpp - Reading utterances from tables ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Tools/Common/UtteranceReader.h"

using namespace ::nnet3::kaldi;
using namespace mlir::nnet3;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;

/// Opens the table `name` unless the name is empty.
template <typename Reader>
static Error openTable(StringRef name, const TableOptions &options,
                       std::unique_ptr<Reader> &reader) {
  if (name.empty())
    return Error::success();
  auto opened = Reader::open(name, options);
  if (!opened)
    return opened.takeError();
  reader = std::move(*opened);
  return Error::success();
}

Expected<std::unique_ptr<UtteranceReader>>
UtteranceReader::open(std::unique_ptr<SequentialMatrixReader> features,
                      const UtteranceOptions &options,
                      const TableOptions &tableOptions, Skip skip) {
  auto reader = std::make_unique<UtteranceReader>();
  reader->features = std::move(features);
  reader->skip = std::move(skip);
  if (Error error = openTable(options.ivectors, tableOptions, reader->ivectors))
    return error;
  if (Error error = openTable(options.utt2spk, tableOptions, reader->speakers))
    return error;
  if (Error error = openTable(options.onlineIvectors, tableOptions,
                              reader->onlineIvectors))
    return error;
  return reader;
}

/// Returns false, with a reason, if the i-vector is missing.
Expected<bool> UtteranceReader::findIvector() {
  if (!ivectors)
    return true;
  StringRef key = utterance.key;
  if (speakers) {
    auto speaker = speakers->find(key);
    if (!speaker)
      return speaker.takeError();
    if (!*speaker) {
      skip("no speaker for utterance '" + key + "'");
      return false;
    }
    key = **speaker;
  }
  auto ivector = ivectors->find(key);
  if (!ivector)
    return ivector.takeError();
  utterance.ivector = *ivector;
  if (!utterance.ivector)
    skip("no i-vector for utterance '" + utterance.key + "'");
  return utterance.ivector != nullptr;
}

Expected<bool> UtteranceReader::findOnlineIvectors() {
  if (!onlineIvectors)
    return true;
  auto found = onlineIvectors->find(utterance.key);
  if (!found)
    return found.takeError();
  utterance.onlineIvectors = *found;
  if (!utterance.onlineIvectors)
    skip("no online i-vectors for utterance '" + utterance.key + "'");
  return utterance.onlineIvectors != nullptr;
}

Error UtteranceReader::close() {
  if (ivectors)
    if (Error error = ivectors->close())
      return error;
  if (speakers)
    if (Error error = speakers->close())
      return error;
  return onlineIvectors ? onlineIvectors->close() : Error::success();
}

Expected<const Utterance *> UtteranceReader::next() {
  while (true) {
    auto more = features->next();
    if (!more)
      return more.takeError();
    if (!*more) {
      if (Error error = close())
        return error;
      return nullptr;
    }
    utterance = Utterance();
    utterance.key = features->getKey();
    utterance.features = &features->getValue();
    if (utterance.features->rows == 0) {
      skip("zero-length utterance '" + utterance.key + "'");
      continue;
    }
    auto found = findIvector();
    if (found && *found)
      found = findOnlineIvectors();
    if (!found)
      return found.takeError();
    if (*found)
      return &utterance;
  }
}
