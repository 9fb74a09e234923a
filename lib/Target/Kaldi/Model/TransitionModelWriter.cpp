//===- TransitionModelWriter.cpp - Writing of transition models -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "nnet3/Target/Kaldi/TransitionModel.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace ::nnet3::kaldi;
using namespace mlir::nnet3;
using llvm::StringRef;

//===----------------------------------------------------------------------===//
// Topology
//===----------------------------------------------------------------------===//

static bool isExtended(const HmmState &state) {
  return state.forwardPdfClass != state.selfLoopPdfClass;
}

static void writeTextState(KaldiWriter &writer, const HmmState &state,
                           int32_t number) {
  writer.writeToken("<State>");
  writer.writeInt32(number);
  if (isExtended(state)) {
    writer.writeToken("<ForwardPdfClass>");
    writer.writeInt32(state.forwardPdfClass);
    writer.writeToken("<SelfLoopPdfClass>");
    writer.writeInt32(state.selfLoopPdfClass);
  } else if (state.forwardPdfClass >= 0) {
    writer.writeToken("<PdfClass>");
    writer.writeInt32(state.forwardPdfClass);
  }
  for (auto [destination, probability] : state.transitions) {
    writer.writeToken("<Transition>");
    writer.writeInt32(destination);
    writer.writeFloat(probability);
  }
  writer.writeToken("</State>");
  writer.writeNewline();
}

/// Writes a token on its own line.
static void writeLine(KaldiWriter &writer, StringRef token) {
  writer.writeToken(token);
  writer.writeNewline();
}

static void writeTextTopology(KaldiWriter &writer,
                              llvm::ArrayRef<TopologyEntry> entries) {
  for (const TopologyEntry &entry : entries) {
    writeLine(writer, "<TopologyEntry>");
    writeLine(writer, "<ForPhones>");
    for (int32_t phone : entry.phones)
      writer.writeInt32(phone);
    writer.writeNewline();
    writeLine(writer, "</ForPhones>");
    for (auto [number, state] : llvm::enumerate(entry.states))
      writeTextState(writer, state, number);
    writeLine(writer, "</TopologyEntry>");
  }
}

static void writeBinaryState(KaldiWriter &writer, const HmmState &state,
                             bool extended) {
  writer.writeInt32(state.forwardPdfClass);
  if (extended)
    writer.writeInt32(state.selfLoopPdfClass);
  writer.writeInt32(state.transitions.size());
  for (auto [destination, probability] : state.transitions) {
    writer.writeInt32(destination);
    writer.writeFloat(probability);
  }
}

/// Returns the greatest phone plus one.
static size_t getPhoneLimit(llvm::ArrayRef<TopologyEntry> entries) {
  size_t limit = 0;
  for (const TopologyEntry &entry : entries)
    if (!entry.phones.empty())
      limit = std::max(limit, size_t(entry.phones.back()) + 1);
  return limit;
}

/// Writes all phones, and for each number up to the greatest one its entry.
static void writePhones(KaldiWriter &writer,
                        llvm::ArrayRef<TopologyEntry> entries) {
  std::vector<std::pair<int32_t, int32_t>> entryOfPhone;
  for (auto [number, entry] : llvm::enumerate(entries))
    for (int32_t phone : entry.phones)
      entryOfPhone.emplace_back(phone, number);
  llvm::sort(entryOfPhone);
  std::vector<int32_t> phones, phoneToEntry(getPhoneLimit(entries), -1);
  for (auto [phone, number] : entryOfPhone) {
    phones.push_back(phone);
    phoneToEntry[phone] = number;
  }
  writer.writeIntVector(phones);
  writer.writeIntVector(phoneToEntry);
}

static void writeBinaryTopology(KaldiWriter &writer,
                                llvm::ArrayRef<TopologyEntry> entries) {
  writePhones(writer, entries);
  bool extended = llvm::any_of(entries, [](const TopologyEntry &entry) {
    return llvm::any_of(entry.states, isExtended);
  });
  if (extended)
    writer.writeInt32(-1);
  writer.writeInt32(entries.size());
  for (const TopologyEntry &entry : entries) {
    writer.writeInt32(entry.states.size());
    for (const HmmState &state : entry.states)
      writeBinaryState(writer, state, extended);
  }
}

//===----------------------------------------------------------------------===//
// Transition model
//===----------------------------------------------------------------------===//

static void writeTuples(KaldiWriter &writer, const TransitionModel &model) {
  StringRef name = model.hasSelfLoopPdfs ? "Tuples>" : "Triples>";
  writer.writeToken(("<" + name).str());
  writer.writeInt32(model.tuples.size());
  writer.writeNewline();
  for (const auto &tuple : model.tuples) {
    llvm::ArrayRef<int32_t> written(tuple);
    for (int32_t value : written.drop_back(model.hasSelfLoopPdfs ? 0 : 1))
      writer.writeInt32(value);
    writer.writeNewline();
  }
  writeLine(writer, ("</" + name).str());
}

void mlir::nnet3::writeTransitionModel(KaldiWriter &writer,
                                       const TransitionModel &model) {
  writeLine(writer, "<TransitionModel>");
  writeLine(writer, "<Topology>");
  if (writer.isBinary())
    writeBinaryTopology(writer, model.entries);
  else
    writeTextTopology(writer, model.entries);
  writeLine(writer, "</Topology>");
  writeTuples(writer, model);
  writeLine(writer, "<LogProbs>");
  writeGeneralVector(writer, model.logProbs);
  writeLine(writer, "</LogProbs>");
  writeLine(writer, "</TransitionModel>");
}

//===----------------------------------------------------------------------===//
// Storing with a network
//===----------------------------------------------------------------------===//

static std::string toString(const TransitionModel &model, bool binary) {
  std::string result;
  llvm::raw_string_ostream os(result);
  KaldiWriter writer(os, binary);
  writer.writeHeader();
  writeTransitionModel(writer, model);
  return result;
}

std::string mlir::nnet3::packTransitionModel(const TransitionModel &model,
                                             StringRef bytes, bool isBinary) {
  if (isBinary)
    return StringRef("\0B", 2).str() + bytes.str();
  // The binary form grows with the greatest phone number, so it must not be
  // used for damaged phones.
  if (getPhoneLimit(model.entries) < bytes.size() &&
      toString(model, /*binary=*/false) == bytes)
    return toString(model, /*binary=*/true);
  return bytes.str();
}

std::string mlir::nnet3::packTransitionModel(const TransitionModel &model) {
  return toString(model, /*binary=*/true);
}

llvm::Error mlir::nnet3::readPackedTransitionModel(StringRef packed,
                                                   TransitionModel &model) {
  KaldiReader reader(packed, "the transition model of the network");
  if (succeeded(reader.readHeader()))
    (void)readTransitionModel(reader, model);
  return reader.takeError();
}

llvm::Error mlir::nnet3::unpackTransitionModel(StringRef packed,
                                               KaldiWriter &writer) {
  TransitionModel model;
  if (llvm::Error error = readPackedTransitionModel(packed, model))
    return error;
  if (packed.starts_with(StringRef("\0B", 2)) != writer.isBinary()) {
    writeTransitionModel(writer, model);
    return llvm::Error::success();
  }
  packed.consume_front(StringRef("\0B", 2));
  writer.writeBytes(packed);
  return llvm::Error::success();
}
