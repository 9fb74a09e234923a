//===- TransitionModel.cpp - Reading of transition models -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "nnet3/Target/Kaldi/TransitionModel.h"
#include "llvm/ADT/STLExtras.h"

using namespace ::nnet3::kaldi;
using namespace mlir::nnet3;
using llvm::failed;
using llvm::failure;
using llvm::LogicalResult;
using llvm::success;
using llvm::Twine;

/// Far above real phone numbers: the binary form has an entry for each number
/// up to the greatest phone.
static constexpr int32_t phoneLimit = 1 << 20;

/// Reads a destination state and a probability.
static LogicalResult readTransition(KaldiReader &reader, HmmState &state) {
  auto &[destination, probability] = state.transitions.emplace_back();
  return success(succeeded(reader.readInt32(destination)) &&
                 succeeded(reader.readFloat(probability)));
}

//===----------------------------------------------------------------------===//
// Topology in binary
//===----------------------------------------------------------------------===//

/// Reads a state. Only in the extended form the self-loop has its own
/// pdf-class.
static LogicalResult readBinaryState(KaldiReader &reader, bool isExtended,
                                     HmmState &state) {
  int32_t numTransitions;
  if (failed(reader.readInt32(state.forwardPdfClass)))
    return failure();
  state.selfLoopPdfClass = state.forwardPdfClass;
  if (isExtended && failed(reader.readInt32(state.selfLoopPdfClass)))
    return failure();
  if (failed(reader.readCount(numTransitions)))
    return failure();
  for (int32_t i = 0; i < numTransitions; ++i)
    if (failed(readTransition(reader, state)))
      return failure();
  return success();
}

static LogicalResult readBinaryEntry(KaldiReader &reader, bool isExtended,
                                     TopologyEntry &entry) {
  int32_t numStates;
  if (failed(reader.readCount(numStates)))
    return failure();
  for (int32_t s = 0; s < numStates; ++s)
    if (failed(
            readBinaryState(reader, isExtended, entry.states.emplace_back())))
      return failure();
  return success();
}

/// Adds the phones to their topology entries.
static LogicalResult distributePhones(KaldiReader &reader,
                                      llvm::ArrayRef<int32_t> phones,
                                      llvm::ArrayRef<int32_t> phoneToEntry,
                                      std::vector<TopologyEntry> &entries) {
  for (int32_t phone : phones) {
    if (phone < 0 || size_t(phone) >= phoneToEntry.size())
      return reader.fail("expects phones below " + Twine(phoneToEntry.size()) +
                         " in the topology, but got " + Twine(phone));
    int32_t entry = phoneToEntry[phone];
    if (entry < 0 || size_t(entry) >= entries.size())
      return reader.fail("expects a topology entry below " +
                         Twine(entries.size()) + " for phone " + Twine(phone) +
                         ", but got " + Twine(entry));
    entries[entry].phones.push_back(phone);
  }
  return success();
}

static LogicalResult readBinaryTopology(KaldiReader &reader,
                                        std::vector<TopologyEntry> &entries) {
  std::vector<int32_t> phones, phoneToEntry;
  int32_t numEntries;
  if (failed(reader.readIntVector(phones)) ||
      failed(reader.readIntVector(phoneToEntry)) ||
      failed(reader.readInt32(numEntries)))
    return failure();
  bool isExtended = numEntries == -1;
  if (isExtended && failed(reader.readInt32(numEntries)))
    return failure();
  if (numEntries < 0)
    return reader.fail("expects a count of topology entries, but got " +
                       Twine(numEntries));
  for (int32_t i = 0; i < numEntries; ++i)
    if (failed(readBinaryEntry(reader, isExtended, entries.emplace_back())))
      return failure();
  if (failed(distributePhones(reader, phones, phoneToEntry, entries)))
    return failure();
  return reader.expectToken("</Topology>");
}

//===----------------------------------------------------------------------===//
// Topology in text
//===----------------------------------------------------------------------===//

/// Reads from after `<State>` to `</State>`.
static LogicalResult readTextState(KaldiReader &reader, HmmState &state) {
  int32_t number;
  if (failed(reader.readInt32(number)))
    return failure();
  while (!reader.consumeToken("</State>")) {
    LogicalResult result = success();
    if (reader.consumeToken("<PdfClass>")) {
      result = reader.readInt32(state.forwardPdfClass);
      state.selfLoopPdfClass = state.forwardPdfClass;
    } else if (reader.consumeToken("<ForwardPdfClass>")) {
      result = reader.readInt32(state.forwardPdfClass);
    } else if (reader.consumeToken("<SelfLoopPdfClass>")) {
      result = reader.readInt32(state.selfLoopPdfClass);
    } else if (reader.consumeToken("<Transition>")) {
      result = readTransition(reader, state);
    } else {
      result = reader.expectToken("</State>");
    }
    if (failed(result))
      return failure();
  }
  return success();
}

static LogicalResult readTextEntry(KaldiReader &reader, TopologyEntry &entry) {
  if (failed(reader.expectToken("<ForPhones>")))
    return failure();
  while (!reader.consumeToken("</ForPhones>")) {
    int32_t &phone = entry.phones.emplace_back();
    if (failed(reader.readInt32(phone)))
      return failure();
    if (phone < 0 || phone >= phoneLimit)
      return reader.fail("expects a phone between 0 and " +
                         Twine(phoneLimit - 1) + ", but got " + Twine(phone));
  }
  llvm::sort(entry.phones);
  while (reader.consumeToken("<State>"))
    if (failed(readTextState(reader, entry.states.emplace_back())))
      return failure();
  return reader.expectToken("</TopologyEntry>");
}

static LogicalResult readTextTopology(KaldiReader &reader,
                                      std::vector<TopologyEntry> &entries) {
  while (reader.consumeToken("<TopologyEntry>"))
    if (failed(readTextEntry(reader, entries.emplace_back())))
      return failure();
  return reader.expectToken("</Topology>");
}

LogicalResult mlir::nnet3::readTopology(KaldiReader &reader,
                                        std::vector<TopologyEntry> &entries) {
  if (failed(reader.expectToken("<Topology>")))
    return failure();
  return reader.isBinary() ? readBinaryTopology(reader, entries)
                           : readTextTopology(reader, entries);
}

//===----------------------------------------------------------------------===//
// Transition model
//===----------------------------------------------------------------------===//

/// Reads `<Triples>`, or `<Tuples>` if states have two pdfs.
static LogicalResult readTuples(KaldiReader &reader, TransitionModel &model) {
  model.hasSelfLoopPdfs = reader.consumeToken("<Tuples>");
  int32_t count;
  if (!model.hasSelfLoopPdfs && failed(reader.expectToken("<Triples>")))
    return failure();
  if (failed(reader.readCount(count)))
    return failure();
  for (int32_t i = 0; i < count; ++i) {
    auto &[phone, state, forward, selfLoop] = model.tuples.emplace_back();
    if (failed(reader.readInt32(phone)) || failed(reader.readInt32(state)) ||
        failed(reader.readInt32(forward)))
      return failure();
    selfLoop = forward;
    if (model.hasSelfLoopPdfs && failed(reader.readInt32(selfLoop)))
      return failure();
  }
  return reader.expectToken(model.hasSelfLoopPdfs ? "</Tuples>" : "</Triples>");
}

LogicalResult mlir::nnet3::readTransitionModel(KaldiReader &reader,
                                               TransitionModel &model) {
  model = TransitionModel();
  if (failed(reader.expectToken("<TransitionModel>")) ||
      failed(readTopology(reader, model.entries)) ||
      failed(readTuples(reader, model)) ||
      failed(reader.expectToken("<LogProbs>")) ||
      failed(readGeneralVector(reader, model.logProbs)) ||
      failed(reader.expectToken("</LogProbs>")))
    return failure();
  return reader.expectToken("</TransitionModel>");
}
