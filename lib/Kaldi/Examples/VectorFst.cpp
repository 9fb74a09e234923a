//===- VectorFst.cpp - OpenFst's files of general graphs ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The file has a header and, for each state, its final weight, the number of
// its arcs, and the arcs: 16 bytes each with two labels, weight and target.
//
//===----------------------------------------------------------------------===//
#include "OpenFstHeader.h"
#include "nnet3/Kaldi/IO/KaldiError.h"
#include "llvm/Support/MemoryBuffer.h"
#include <cmath>

using namespace nnet3::kaldi;
using llvm::failed;
using llvm::failure;
using llvm::LogicalResult;
using llvm::StringRef;
using llvm::success;
using llvm::Twine;

static constexpr uint64_t kArcSize = 16;

static LogicalResult readState(KaldiReader &reader, CompactFst::State &state) {
  float final;
  int64_t count;
  StringRef bytes;
  if (failed(openfst::readPlain(reader, final)) ||
      failed(openfst::readPlain(reader, count)))
    return failure();
  if (count < 0 || count > CompactFst::kMaxArcs)
    return reader.fail("expects at most " + Twine(CompactFst::kMaxArcs) +
                       " arcs of a state, but got " + Twine(count));
  if (failed(reader.readBytes(uint64_t(count) * kArcSize, bytes)))
    return failure();
  if (!std::isinf(final) || final < 0)
    state.final = final;
  for (int64_t i = 0; i < count; ++i) {
    const char *arc = bytes.data() + i * kArcSize;
    const auto input = openfst::load<int32_t>(arc),
               output = openfst::load<int32_t>(arc + 4);
    if (input != output)
      return reader.fail("expects the same input and output label, but got " +
                         Twine(input) + " and " + Twine(output));
    state.arcs.push_back({input, openfst::load<float>(arc + 8),
                          openfst::load<int32_t>(arc + 12)});
  }
  return success();
}

static LogicalResult readVectorFst(KaldiReader &reader, CompactFst &fst) {
  int64_t numStates;
  if (failed(openfst::readHeader(reader, "vector", fst, numStates)))
    return failure();
  while (numStates < 0 ? !reader.atEnd()
                       : int64_t(fst.states.size()) < numStates)
    if (failed(readState(reader, fst.states.emplace_back())))
      return failure();
  return success();
}

/// Arc targets may be later states, so they are checked at the end.
static LogicalResult checkTargets(KaldiReader &reader, const CompactFst &fst) {
  const auto numStates = int64_t(fst.states.size());
  if (fst.start >= numStates)
    return reader.fail("expects a start among " + Twine(numStates) +
                       " states, but got " + Twine(fst.start));
  for (const CompactFst::State &state : fst.states)
    for (const CompactFst::Arc &arc : state.arcs)
      if (arc.label < 0 || arc.target < 0 || arc.target >= numStates)
        return reader.fail("expects an arc to one of " + Twine(numStates) +
                           " states, but got label " + Twine(arc.label) +
                           " and state " + Twine(arc.target));
  return success();
}

llvm::Expected<CompactFst> nnet3::kaldi::readFstFile(StringRef path) {
  auto buffer = llvm::MemoryBuffer::getFile(path);
  if (!buffer)
    return makeFileError(path, buffer.getError().message());
  const StringRef contents = (*buffer)->getBuffer();
  CompactFst fst;
  KaldiReader reader(contents, path);
  reader.beginBinary();
  if (failed(readVectorFst(reader, fst)) || failed(checkTargets(reader, fst)))
    return reader.takeError();
  return fst;
}
