//===- CompactFst.cpp - OpenFst's files of acceptors ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A header; for each state where its elements begin, and where the last ones
// end; the elements of 12 bytes. That of an arc has its label, weight and
// target, that of a final weight comes before the arcs and has -1 for both
// numbers.
//
//===----------------------------------------------------------------------===//
#include "nnet3/Kaldi/Examples/CompactFst.h"
#include "CompactFstText.h"
#include "nnet3/Kaldi/IO/Reader.h"
#include "nnet3/Kaldi/IO/Writer.h"
#include "llvm/Support/Endian.h"

using namespace nnet3::kaldi;
using llvm::failed;
using llvm::failure;
using llvm::LogicalResult;
using llvm::StringRef;
using llvm::success;
using llvm::Twine;

static constexpr int32_t kMagic = 2125659606;
static constexpr StringRef kFstType = "compact_acceptor";
static constexpr StringRef kArcType = "standard";
/// The version of files that are not aligned.
static constexpr int32_t kVersion = 2;
static constexpr uint64_t kElementSize = 12;

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

template <typename T> static T load(const char *from) {
  return llvm::support::endian::read<T, llvm::endianness::little>(from);
}

/// A number without the size byte of Kaldi's.
template <typename T>
static LogicalResult readPlain(KaldiReader &reader, T &value) {
  StringRef bytes;
  if (failed(reader.readBytes(sizeof(T), bytes)))
    return failure();
  value = load<T>(bytes.data());
  return success();
}

/// Expects the string `text`, after its length.
static LogicalResult expectString(KaldiReader &reader, StringRef what,
                                  StringRef text) {
  int32_t length;
  StringRef bytes;
  if (failed(readPlain(reader, length)))
    return failure();
  if (length < 0 || length > 100)
    return reader.fail("expects the " + what + " '" + text +
                       "', but got a name of " + Twine(length) + " bytes");
  if (failed(reader.readBytes(length, bytes)))
    return failure();
  if (bytes != text)
    return reader.fail("expects the " + what + " '" + text + "', but got " +
                       quoteForMessage(bytes));
  return success();
}

static LogicalResult readHeader(KaldiReader &reader, CompactFst &fst,
                                int64_t &numStates) {
  int32_t magic, version, flags;
  if (failed(readPlain(reader, magic)))
    return failure();
  if (magic != kMagic)
    return reader.fail("expects the mark of an OpenFst file, but got " +
                       Twine(magic));
  if (failed(expectString(reader, "graph type", kFstType)) ||
      failed(expectString(reader, "arc type", kArcType)) ||
      failed(readPlain(reader, version)) || failed(readPlain(reader, flags)))
    return failure();
  if (version != kVersion || flags != 0)
    return reader.fail("expects a graph of version " + Twine(kVersion) +
                       " without flags, but got version " + Twine(version) +
                       " and flags " + Twine(flags));
  int64_t numArcs; // the elements tell, too
  if (failed(readPlain(reader, fst.properties)) ||
      failed(readPlain(reader, fst.start)) ||
      failed(readPlain(reader, numStates)) ||
      failed(readPlain(reader, numArcs)))
    return failure();
  if (numStates < 0 || numStates > INT32_MAX || fst.start < -1 ||
      fst.start >= numStates)
    return reader.fail("expects a start among " + Twine(numStates) +
                       " states, but got " + Twine(fst.start));
  return success();
}

/// The elements of one state.
static LogicalResult readState(KaldiReader &reader, int64_t numStates,
                               uint64_t count, CompactFst::State &state) {
  StringRef bytes;
  if (failed(reader.readBytes(count * kElementSize, bytes)))
    return failure();
  for (uint64_t i = 0; i < count; ++i) {
    const char *element = bytes.data() + i * kElementSize;
    CompactFst::Arc arc{load<int32_t>(element), load<float>(element + 4),
                        load<int32_t>(element + 8)};
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
  if (failed(readHeader(reader, fst, numStates)))
    return failure();
  StringRef bytes;
  if (failed(reader.readBytes(4 * (numStates + 1), bytes)))
    return failure();
  std::vector<uint32_t> begins;
  for (int64_t i = 0; i <= numStates; ++i)
    begins.push_back(load<uint32_t>(bytes.data() + 4 * i));
  if (begins.front() != 0)
    return reader.fail("expects the arcs of the first state at 0, but got " +
                       Twine(begins.front()));
  fst.states.resize(numStates);
  for (int64_t i = 0; i < numStates; ++i) {
    if (begins[i] > begins[i + 1])
      return reader.fail("expects the arcs of state " + Twine(i) +
                         " to end behind " + Twine(begins[i]) + ", but got " +
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
  writePlain(writer, kMagic);
  writeString(writer, kFstType);
  writeString(writer, kArcType);
  writePlain(writer, kVersion);
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
