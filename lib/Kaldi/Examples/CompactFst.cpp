//===- CompactFst.cpp - OpenFst's files of acceptors ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The file has a header, the offset of the first element of each state and the
// end of the last one, and elements of 12 bytes. An arc is an element with
// label, weight and target. A final weight is an element before the state's
// arcs, with -1 for label and target.
//
//===----------------------------------------------------------------------===//
#include "nnet3/Kaldi/Examples/CompactFst.h"
#include "CompactFstText.h"
#include "OpenFstHeader.h"
#include "nnet3/Kaldi/IO/Reader.h"
#include "nnet3/Kaldi/IO/Writer.h"

using namespace nnet3::kaldi;
using llvm::failed;
using llvm::failure;
using llvm::LogicalResult;
using llvm::StringRef;
using llvm::success;
using llvm::Twine;

static constexpr StringRef kFstType = "compact_acceptor";
static constexpr uint64_t kElementSize = 12;

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

/// Reads the elements of one state.
static LogicalResult readState(KaldiReader &reader, int64_t numStates,
                               uint64_t count, CompactFst::State &state) {
  StringRef bytes;
  if (failed(reader.readBytes(count * kElementSize, bytes)))
    return failure();
  for (uint64_t i = 0; i < count; ++i) {
    const char *element = bytes.data() + i * kElementSize;
    CompactFst::Arc arc{openfst::load<int32_t>(element),
                        openfst::load<float>(element + 4),
                        openfst::load<int32_t>(element + 8)};
    if (i == 0 && arc.label == -1 && arc.target == -1) {
      state.final = arc.weight;
      continue;
    }
    if (arc.label < 0 || arc.target < 0 || arc.target >= numStates)
      return reader.fail("expects an arc to one of " + Twine(numStates) +
                         " states, but got label " + Twine(arc.label) +
                         " and state " + Twine(arc.target));
    state.arcs.push_back(arc);
  }
  return success();
}

static LogicalResult readBinaryFst(KaldiReader &reader, CompactFst &fst) {
  int64_t numStates;
  if (failed(openfst::readHeader(reader, kFstType, fst, numStates)))
    return failure();
  if (numStates < 0)
    return reader.fail("expects the number of states, but got " +
                       Twine(numStates));
  StringRef bytes;
  if (failed(reader.readBytes(4 * (numStates + 1), bytes)))
    return failure();
  std::vector<uint32_t> begins;
  for (int64_t i = 0; i <= numStates; ++i)
    begins.push_back(openfst::load<uint32_t>(bytes.data() + 4 * i));
  if (begins.front() != 0)
    return reader.fail("expects the arcs of the first state at 0, but got " +
                       Twine(begins.front()));
  fst.states.resize(numStates);
  for (int64_t i = 0; i < numStates; ++i) {
    if (begins[i] > begins[i + 1])
      return reader.fail("expects the arcs of state " + Twine(i) +
                         " to end after " + Twine(begins[i]) + ", but got " +
                         Twine(begins[i + 1]));
    if (failed(readState(reader, numStates, begins[i + 1] - begins[i],
                         fst.states[i])))
      return failure();
  }
  return success();
}

LogicalResult nnet3::kaldi::readCompactFst(KaldiReader &reader,
                                           CompactFst &fst) {
  fst = CompactFst();
  return reader.isBinary() ? readBinaryFst(reader, fst)
                           : readTextFst(reader, fst);
}

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

template <typename T> static void writePlain(KaldiWriter &writer, T value) {
  writer.writeBytes({reinterpret_cast<const char *>(&value), sizeof(T)});
}

static void writeString(KaldiWriter &writer, StringRef text) {
  writePlain<int32_t>(writer, text.size());
  writer.writeBytes(text);
}

static void writeElement(KaldiWriter &writer, const CompactFst::Arc &arc) {
  writePlain(writer, arc.label);
  writePlain(writer, arc.weight);
  writePlain(writer, arc.target);
}

static void writeBinaryFst(KaldiWriter &writer, const CompactFst &fst) {
  int64_t numArcs = 0;
  std::vector<uint32_t> begins(1);
  for (const CompactFst::State &state : fst.states) {
    numArcs += state.arcs.size();
    begins.push_back(begins.back() + state.arcs.size() +
                     state.final.has_value());
  }
  writePlain(writer, openfst::kMagic);
  writeString(writer, kFstType);
  writeString(writer, openfst::kArcType);
  writePlain(writer, openfst::kVersion);
  writePlain<int32_t>(writer, /*flags=*/0);
  writePlain(writer, fst.properties);
  writePlain(writer, fst.start);
  writePlain<int64_t>(writer, fst.states.size());
  writePlain(writer, numArcs);
  for (uint32_t begin : begins)
    writePlain(writer, begin);
  for (const CompactFst::State &state : fst.states) {
    if (state.final)
      writeElement(writer, {-1, *state.final, -1});
    for (const CompactFst::Arc &arc : state.arcs)
      writeElement(writer, arc);
  }
}

void nnet3::kaldi::writeCompactFst(KaldiWriter &writer, const CompactFst &fst) {
  if (writer.isBinary())
    writeBinaryFst(writer, fst);
  else
    writeTextFst(writer, fst);
}
