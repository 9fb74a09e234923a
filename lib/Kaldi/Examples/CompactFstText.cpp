//===- CompactFstText.cpp - Acceptors as text -----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "CompactFstText.h"
#include "nnet3/Kaldi/IO/Reader.h"
#include "nnet3/Kaldi/IO/Writer.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"
#include <cmath>
#include <cstdlib>

using namespace nnet3::kaldi;
using llvm::failed;
using llvm::failure;
using llvm::LogicalResult;
using llvm::StringRef;
using llvm::success;
using llvm::Twine;

namespace {
/// A line of text: an arc, or a final weight if the target is -1.
struct Line {
  int32_t source;
  CompactFst::Arc arc;
};
} // namespace

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

/// States and labels are at least 0.
static LogicalResult parseNumber(KaldiReader &reader, StringRef word,
                                 int32_t &number) {
  if (word.getAsInteger(10, number) || number < 0)
    return reader.fail("expects a number of at least 0 in the line of a graph, "
                       "but got " +
                       quoteForMessage(word));
  return success();
}

static LogicalResult parseWeight(KaldiReader &reader, StringRef word,
                                 float &weight) {
  // std::from_chars reports an error for numbers that underflow.
  std::string text = word.str();
  char *end;
  weight = std::strtof(text.c_str(), &end);
  if (end != text.c_str() + text.size())
    return reader.fail("expects a weight in the line of a graph, but got " +
                       quoteForMessage(word));
  return success();
}

static LogicalResult parseLine(KaldiReader &reader, StringRef text,
                               Line &line) {
  llvm::SmallVector<StringRef> words;
  llvm::SplitString(text, words, " \t\r");
  bool isArc = words.size() == 4 || words.size() == 5;
  if (!isArc && words.size() > 2)
    return reader.fail("expects 1, 2, 4 or 5 words in the line of a graph, but "
                       "got " +
                       Twine(words.size()));
  line.arc = {-1, 0, -1};
  if (failed(parseNumber(reader, words.front(), line.source)))
    return failure();
  if (words.size() == 2 || words.size() == 5)
    if (failed(parseWeight(reader, words.back(), line.arc.weight)))
      return failure();
  if (!isArc)
    return success();
  if (words[2] != words[3])
    return reader.fail("expects the same input and output label, but got " +
                       quoteForMessage(words[2]) + " and " +
                       quoteForMessage(words[3]));
  return success(succeeded(parseNumber(reader, words[1], line.arc.target)) &&
                 succeeded(parseNumber(reader, words[2], line.arc.label)));
}

/// Builds the graph. Nearly every state has a line, so the number of lines
/// bounds the number of states.
static LogicalResult assemble(KaldiReader &reader, llvm::ArrayRef<Line> lines,
                              CompactFst &fst) {
  int64_t numStates = 0;
  for (const Line &line : lines)
    numStates = std::max<int64_t>(
        {numStates, int64_t(line.source) + 1, int64_t(line.arc.target) + 1});
  if (numStates > 2 * int64_t(lines.size()) + 1000)
    return reader.fail("expects states that are numbered from 0, but got " +
                       Twine(numStates - 1) + " among " + Twine(lines.size()) +
                       " lines");
  fst.states.resize(numStates);
  fst.start = lines.empty() ? -1 : lines.front().source;
  for (const Line &line : lines) {
    CompactFst::State &state = fst.states[line.source];
    if (line.arc.target < 0)
      state.final = line.arc.weight;
    else
      state.arcs.push_back(line.arc);
  }
  return success();
}

LogicalResult nnet3::kaldi::readTextFst(KaldiReader &reader, CompactFst &fst) {
  std::string text;
  if (failed(reader.readLine(text)))
    return failure();
  if (!StringRef(text).trim().empty())
    return reader.fail("expects a graph from the next line on, but got " +
                       quoteForMessage(StringRef(text).trim()));
  std::vector<Line> lines;
  while (true) {
    if (failed(reader.readLine(text)))
      return failure();
    if (StringRef(text).trim().empty())
      return assemble(reader, lines, fst);
    if (failed(parseLine(reader, text, lines.emplace_back())))
      return failure();
  }
}

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

/// A weight of one is left out; it is the number 0 in this semiring.
static void writeWeight(KaldiWriter &writer, float weight) {
  if (weight == 0 && !std::signbit(weight)) {
    writer.writeBytes("\n");
    return;
  }
  writer.writeBytes("\t");
  if (std::isinf(weight))
    writer.writeBytes(weight > 0 ? "Infinity" : "-Infinity");
  else
    writer.writeNumber(weight);
  writer.writeBytes("\n");
}

static void writeState(KaldiWriter &writer, const CompactFst &fst,
                       int64_t number) {
  const CompactFst::State &state = fst.states[number];
  for (const CompactFst::Arc &arc : state.arcs) {
    writer.getStream() << number << '\t' << arc.target << '\t' << arc.label
                       << '\t' << arc.label;
    writeWeight(writer, arc.weight);
  }
  if (!state.final)
    return;
  writer.getStream() << number;
  writeWeight(writer, *state.final);
}

void nnet3::kaldi::writeTextFst(KaldiWriter &writer, const CompactFst &fst) {
  writer.writeBytes("\n");
  if (fst.start >= 0)
    writeState(writer, fst, fst.start);
  for (int64_t i = 0, size = fst.states.size(); i < size; ++i)
    if (i != fst.start)
      writeState(writer, fst, i);
  writer.writeBytes("\n");
}
