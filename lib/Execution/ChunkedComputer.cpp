//===- ChunkedComputer.cpp - Utterances in chunks with context ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Execution/ChunkedComputer.h"
#include "UtteranceRequest.h"
#include "nnet3/Compile/Padding.h"

using namespace ::nnet3::kaldi;
using namespace mlir;
using namespace mlir::nnet3;
namespace rt = ::nnet3::rt;

FailureOr<std::unique_ptr<UtteranceComputer>>
ChunkedComputer::create(RequestRunner &runner, const Chunking &chunking,
                        const ComputeOptions &options) {
  std::unique_ptr<ChunkedComputer> computer(
      new ChunkedComputer(runner, chunking, options));
  if (failed(computer->readPriors()))
    return failure();
  return std::unique_ptr<UtteranceComputer>(std::move(computer));
}

/// Finds out whether the last chunk of an utterance of `numFrames` frames may
/// be padded, so that few shapes serve all utterances.
LogicalResult ChunkedComputer::addSize(int64_t numFrames) {
  const int64_t factor = chunking.options.frameSubsamplingFactor;
  const int64_t rest = numFrames % chunking.framesPerChunk;
  const int64_t size = getPaddedSize((rest + factor - 1) / factor,
                                     chunking.framesPerChunk / factor, factor);
  if (rest == 0 || chunking.hasSize(size))
    return success();
  // A last chunk may be the first one, too, which has a left end of its own.
  Chunking exact = chunking;
  exact.sizes.clear();
  int64_t minOutputs = 1;
  for (const int32_t initial :
       {chunking.options.extraLeftContextInitial, int32_t(-1)}) {
    exact.options.extraLeftContextInitial = initial;
    const Chunk chunk = planChunks(size * factor, exact).front();
    auto request = createUtteranceRequest(runner.getNetwork(), chunk, factor,
                                          ivectorDim > 0);
    auto found = findMinOutputs(*request, runner.getNodes());
    if (failed(found))
      return failure();
    minOutputs = std::max(minOutputs, *found);
  }
  chunking.addSize({size, minOutputs});
  return success();
}

/// Checks that the chunks of a library can compute the end of an utterance.
LogicalResult ChunkedComputer::checkChunks(const Utterance &utterance) {
  const int64_t numFrames = utterance.features->rows;
  const int64_t factor = chunking.options.frameSubsamplingFactor;
  const int64_t rest =
      numFrames - int64_t(chunks.size()) * chunking.framesPerChunk;
  if (rest <= 0)
    return success();
  auto diagnostic =
      emitError() << "the last chunk of utterance '" << utterance.key
                  << "' has " << rest << (rest == 1 ? " frame" : " frames")
                  << ", and padding it to a chunk of the library would change "
                     "its outputs; compile the library with --chunk=";
  for (const ChunkSize &size : chunking.sizes)
    diagnostic << size.numOutputs * factor << ",";
  diagnostic << rest;
  if (factor > 1)
    diagnostic << " --frame-subsampling-factor=" << factor;
  return diagnostic << ", or run the model itself";
}

FailureOr<int64_t> ChunkedComputer::countRows(const Utterance &utterance) {
  if (chunking.pads && failed(addSize(utterance.features->rows)))
    return failure();
  chunks = planChunks(utterance.features->rows, chunking);
  if (failed(checkChunks(utterance)))
    return failure();
  return chunks.back().firstOutput + chunks.back().numOutputs;
}

LogicalResult ChunkedComputer::computeRows(const Utterance &utterance,
                                           Matrix &output) {
  for (const Chunk &chunk : chunks)
    if (failed(computeChunk(utterance, chunk, output)))
      return failure();
  return success();
}

/// The instance for a chunk, which equal-shaped chunks share.
FailureOr<RequestInstance *> ChunkedComputer::prepare(const Chunk &chunk) {
  // More rows than this a request cannot have.
  constexpr int64_t kMaxRows = int64_t(1) << 24;
  int64_t numInputs = chunk.lastInput - chunk.firstInput + 1;
  if (numInputs > kMaxRows)
    return emitError() << "expects chunks of at most " << kMaxRows
                       << " input frames, but got " << numInputs;
  auto request = createUtteranceRequest(runner.getNetwork(), chunk,
                                        chunking.options.frameSubsamplingFactor,
                                        ivectorDim > 0);
  return runner.prepare(*request);
}

FailureOr<ArrayRef<float>>
ChunkedComputer::getIvector(const Utterance &utterance, const Chunk &chunk) {
  if (utterance.ivector)
    return ArrayRef<float>(*utterance.ivector);
  std::optional<int64_t> row = getOnlineIvectorRow(
      chunk, utterance.onlineIvectors->rows, options.onlineIvectorPeriod);
  if (!row)
    return emitError() << "the online i-vectors of utterance '" << utterance.key
                       << "' end too early: " << utterance.onlineIvectors->rows
                       << " rows for " << utterance.features->rows << " frames";
  return utterance.onlineIvectors->row(*row);
}

LogicalResult ChunkedComputer::computeChunk(const Utterance &utterance,
                                            const Chunk &chunk,
                                            Matrix &output) {
  FailureOr<RequestInstance *> instance = prepare(chunk);
  if (failed(instance))
    return failure();
  auto check = [&](const rt::Status &status) -> LogicalResult {
    if (status.ok())
      return success();
    return emitError() << status.message();
  };
  const Matrix &features = *utterance.features;
  input.rows = chunk.lastInput - chunk.firstInput + 1;
  input.cols = features.cols;
  input.data.resize(input.rows * input.cols);
  for (int64_t r = 0; r < input.rows; ++r)
    llvm::copy(features.row(std::clamp<int64_t>(chunk.firstInput + r, 0,
                                                features.rows - 1)),
               input.row(r).begin());
  if (failed(check((*instance)->setInput("input", getView(input)))))
    return failure();
  if (ivectorDim > 0) {
    FailureOr<ArrayRef<float>> ivector = getIvector(utterance, chunk);
    if (failed(ivector) ||
        failed(check((*instance)->setInput(
            "ivector",
            rt::ConstMatrixView(ivector->data(), 1, ivectorDim, ivectorDim)))))
      return failure();
  }
  if (failed(check((*instance)->run())))
    return failure();
  auto result = (*instance)->output("output");
  if (!result.ok())
    return check(result.status());
  for (int64_t r = 0; r < chunk.numOutputs; ++r)
    std::copy_n(result->row(r), outputDim,
                output.row(chunk.firstOutput + r).begin());
  return success();
}
