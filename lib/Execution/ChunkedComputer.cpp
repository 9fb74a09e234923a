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
/// be padded to one of a few sizes, so that utterances share programs.
LogicalResult ChunkedComputer::addSize(int64_t numFrames) {
  const int64_t factor = chunking.options.frameSubsamplingFactor;
  const int64_t rest = numFrames % chunking.framesPerChunk;
  const int64_t numOutputs = (rest + factor - 1) / factor;
  const int64_t perChunk = chunking.framesPerChunk / factor;
  const int64_t size = chunking.batches
                           ? getBatchedSize(numOutputs, perChunk)
                           : getPaddedSize(numOutputs, perChunk, factor);
  if (rest == 0 || chunking.hasSize(size))
    return success();
  // The last chunk may also be the first one, with a different left context.
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

/// Checks that the chunks of a library can compute the last outputs of an
/// utterance.
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

FailureOr<RequestInstance *> ChunkedComputer::prepare(const Chunk &chunk,
                                                      int32_t numSequences) {
  // A request cannot have more rows than this.
  constexpr int64_t kMaxRows = int64_t(1) << 24;
  const int64_t numInputs =
      (chunk.lastInput - chunk.firstInput + 1) * numSequences;
  if (numInputs > kMaxRows) {
    auto diagnostic = emitError() << "expects chunks of at most " << kMaxRows
                                  << " input frames, but got " << numInputs;
    if (numSequences > 1)
      diagnostic << " for a batch of " << numSequences;
    return diagnostic;
  }
  auto request = createUtteranceRequest(runner.getNetwork(), chunk,
                                        chunking.options.frameSubsamplingFactor,
                                        ivectorDim > 0, numSequences);
  return runner.prepare(*request);
}

FailureOr<ArrayRef<float>>
ChunkedComputer::getIvector(const Utterance &utterance, const Chunk &chunk) {
  if (utterance.ivector)
    return ArrayRef<float>(*utterance.ivector);
  std::optional<int64_t> row =
      getOnlineIvectorRow(chunk, utterance.onlineIvectors->rows,
                          options.onlineIvectorPeriod, chunking.rules);
  if (!row)
    return emitError() << "the online i-vectors of utterance '" << utterance.key
                       << "' end too early: " << utterance.onlineIvectors->rows
                       << " rows for " << utterance.features->rows << " frames";
  return utterance.onlineIvectors->row(*row);
}

void ChunkedComputer::copyFrames(const Utterance &utterance, const Chunk &chunk,
                                 Matrix &input, int64_t row) {
  const Matrix &features = *utterance.features;
  for (int64_t t = chunk.firstInput; t <= chunk.lastInput; ++t)
    llvm::copy(features.row(std::clamp<int64_t>(t, 0, features.rows - 1)),
               input.row(row++).begin());
}

FailureOr<rt::ConstMatrixView> ChunkedComputer::run(RequestInstance &instance,
                                                    const Matrix &input,
                                                    const Matrix &ivectors) {
  rt::Status status = instance.setInput("input", getView(input));
  if (status.ok() && ivectorDim > 0)
    status = instance.setInput("ivector", getView(ivectors));
  if (status.ok())
    status = instance.run();
  auto result = status.ok() ? instance.output("output")
                            : rt::Result<rt::ConstMatrixView>(status);
  if (!result.ok())
    return emitError() << result.status().message();
  return *result;
}

void ChunkedComputer::copyOutputs(rt::ConstMatrixView result, int64_t row,
                                  const Chunk &chunk, Matrix &output) {
  for (int64_t r = 0; r < chunk.numOutputs; ++r)
    std::copy_n(result.row(row + chunk.numSkipped + r), output.cols,
                output.row(chunk.firstOutput + r).begin());
}

LogicalResult ChunkedComputer::computeChunk(const Utterance &utterance,
                                            const Chunk &chunk,
                                            Matrix &output) {
  FailureOr<RequestInstance *> instance = prepare(chunk);
  if (failed(instance))
    return failure();
  resize(input, chunk.lastInput - chunk.firstInput + 1, inputDim);
  copyFrames(utterance, chunk, input, 0);
  if (ivectorDim > 0) {
    FailureOr<ArrayRef<float>> ivector = getIvector(utterance, chunk);
    if (failed(ivector))
      return failure();
    resize(ivectors, 1, ivectorDim);
    llvm::copy(*ivector, ivectors.row(0).begin());
  }
  auto result = run(**instance, input, ivectors);
  if (failed(result))
    return failure();
  copyOutputs(*result, 0, chunk, output);
  return success();
}

void mlir::nnet3::resize(Matrix &matrix, int64_t rows, int64_t cols) {
  matrix.rows = rows;
  matrix.cols = cols;
  matrix.data.resize(rows * cols);
}
