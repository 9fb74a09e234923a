//===- TransitionModel.cpp - The head of acoustic models ------------------===//
#include "TransitionModel.h"

using namespace nnet3;
using llvm::failure;
using llvm::LogicalResult;
using llvm::success;

/// Reads a count. Whoever counts that far meets the end of the file first, so
/// that there is no upper limit.
static LogicalResult readCount(KaldiReader &reader, int32_t &count) {
  if (failed(reader.readInt32(count)))
    return failure();
  if (count < 0)
    return reader.fail("expects a count of at least 0, but got " +
                       llvm::Twine(count));
  return success();
}

static LogicalResult skipInts(KaldiReader &reader, int32_t count) {
  int32_t ignored;
  for (int32_t i = 0; i < count; ++i)
    if (failed(reader.readInt32(ignored)))
      return failure();
  return success();
}

/// A destination state and a probability.
static LogicalResult skipTransition(KaldiReader &reader) {
  float ignored;
  return success(succeeded(skipInts(reader, 1)) &&
                 succeeded(reader.readFloat(ignored)));
}

//===----------------------------------------------------------------------===//
// Topology
//===----------------------------------------------------------------------===//

/// The states of one phone's model: pdf-classes (two in the extended form) and
/// transitions.
static LogicalResult skipBinaryEntry(KaldiReader &reader, int32_t numClasses) {
  int32_t numStates, numTransitions;
  if (failed(readCount(reader, numStates)))
    return failure();
  for (int32_t s = 0; s < numStates; ++s) {
    if (failed(skipInts(reader, numClasses)) ||
        failed(readCount(reader, numTransitions)))
      return failure();
    for (int32_t i = 0; i < numTransitions; ++i)
      if (failed(skipTransition(reader)))
        return failure();
  }
  return success();
}

static LogicalResult skipBinaryTopology(KaldiReader &reader) {
  std::vector<int32_t> phones;
  int32_t numEntries, numClasses = 1;
  if (failed(reader.readIntVector(phones)) ||
      failed(reader.readIntVector(phones)) ||
      failed(reader.readInt32(numEntries)))
    return failure();
  if (numEntries == -1) {
    numClasses = 2;
    if (failed(reader.readInt32(numEntries)))
      return failure();
  }
  if (numEntries < 0)
    return reader.fail("expects a count of topology entries, but got " +
                       llvm::Twine(numEntries));
  for (int32_t i = 0; i < numEntries; ++i)
    if (failed(skipBinaryEntry(reader, numClasses)))
      return failure();
  return reader.expectToken("</Topology>");
}

/// What follows the number of a state, up to `</State>`.
static LogicalResult skipTextState(KaldiReader &reader) {
  if (failed(skipInts(reader, 1)))
    return failure();
  while (!reader.consumeToken("</State>")) {
    LogicalResult result = reader.consumeToken("<PdfClass>") ||
                                   reader.consumeToken("<ForwardPdfClass>") ||
                                   reader.consumeToken("<SelfLoopPdfClass>")
                               ? skipInts(reader, 1)
                           : reader.consumeToken("<Transition>")
                               ? skipTransition(reader)
                               : reader.expectToken("</State>");
    if (failed(result))
      return failure();
  }
  return success();
}

static LogicalResult skipTextEntry(KaldiReader &reader) {
  if (failed(reader.expectToken("<ForPhones>")))
    return failure();
  while (!reader.consumeToken("</ForPhones>"))
    if (failed(skipInts(reader, 1)))
      return failure();
  while (reader.consumeToken("<State>"))
    if (failed(skipTextState(reader)))
      return failure();
  return reader.expectToken("</TopologyEntry>");
}

static LogicalResult skipTextTopology(KaldiReader &reader) {
  while (reader.consumeToken("<TopologyEntry>"))
    if (failed(skipTextEntry(reader)))
      return failure();
  return reader.expectToken("</Topology>");
}

//===----------------------------------------------------------------------===//
// Transition model
//===----------------------------------------------------------------------===//

/// `<Triples>`, or `<Tuples>` where states have two pdfs.
static LogicalResult skipTuples(KaldiReader &reader) {
  bool isTuples = reader.consumeToken("<Tuples>");
  int32_t count;
  if (!isTuples && failed(reader.expectToken("<Triples>")))
    return failure();
  if (failed(readCount(reader, count)))
    return failure();
  for (int32_t i = 0; i < count; ++i)
    if (failed(skipInts(reader, isTuples ? 4 : 3)))
      return failure();
  return reader.expectToken(isTuples ? "</Tuples>" : "</Triples>");
}

LogicalResult nnet3::skipTransitionModel(KaldiReader &reader) {
  std::vector<float> logProbs;
  if (failed(reader.expectToken("<TransitionModel>")) ||
      failed(reader.expectToken("<Topology>")) ||
      failed(reader.isBinary() ? skipBinaryTopology(reader)
                               : skipTextTopology(reader)) ||
      failed(skipTuples(reader)) || failed(reader.expectToken("<LogProbs>")) ||
      failed(reader.readVector(logProbs)) ||
      failed(reader.expectToken("</LogProbs>")))
    return failure();
  return reader.expectToken("</TransitionModel>");
}
