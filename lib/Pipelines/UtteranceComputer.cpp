//===- UtteranceComputer.cpp - The network over an utterance --------------===//

#include "nnet3/Pipelines/UtteranceComputer.h"
#include "nnet3/Target/Program/ParameterBlob.h"

#include "llvm/ADT/ScopeExit.h"
#include <cmath>

using namespace nnet3;
using namespace mlir;
using namespace mlir::nnet3;
namespace runtime = ::nnet3::runtime;

FailureOr<UtteranceComputer>
UtteranceComputer::create(RequestRunner &runner, const Chunking &chunking,
                          const ComputeOptions &options) {
  UtteranceComputer result(runner, chunking, options);
  NetworkOp network = runner.getNetwork();
  result.inputDim = runner.getDim("input");
  result.ivectorDim = runner.getDim("ivector");
  result.outputDim = runner.getDim("output");
  ElementsAttr priors = network.getPriorsAttr();
  if (!options.usePriors || !priors || priors.empty())
    return result;
  if (priors.getNumElements() != result.outputDim)
    return network.emitError("expects ")
           << result.outputDim << " priors, one for each output, but got "
           << priors.getNumElements();
  result.logPriors.resize(result.outputDim);
  if (failed(copyTensor(priors, result.logPriors.data())))
    return network.emitError("the priors have no values");
  for (float &prior : result.logPriors)
    prior = std::log(prior);
  return result;
}

InFlightDiagnostic UtteranceComputer::emitError() {
  return runner->getNetwork().emitError();
}

LogicalResult UtteranceComputer::checkDims(const Utterance &utterance) {
  if (utterance.features->cols != inputDim)
    return emitError() << "the network expects 'input' features with dimension "
                       << inputDim << ", but utterance '" << utterance.key
                       << "' has " << utterance.features->cols;
  int64_t given = 0;
  if (utterance.ivector)
    given = utterance.ivector->size();
  else if (utterance.onlineIvectors)
    given = utterance.onlineIvectors->cols;
  if (given != ivectorDim)
    return emitError() << "the network expects 'ivector' features with "
                          "dimension "
                       << ivectorDim << ", but utterance '" << utterance.key
                       << "' has " << given;
  return success();
}

FailureOr<Matrix> UtteranceComputer::compute(const Utterance &utterance) {
  if (failed(checkDims(utterance)))
    return failure();
  SmallVector<Chunk> chunks = planChunks(utterance.features->rows, chunking);
  // As many bytes as the runtime allows the matrices of a program.
  constexpr int64_t maxElements = int64_t(1) << 32;
  int64_t numOutputs = chunks.back().firstOutput + chunks.back().numOutputs;
  if (numOutputs > maxElements / outputDim)
    return emitError() << "the output of utterance '" << utterance.key
                       << "' would be " << numOutputs << " x " << outputDim
                       << ", more than " << maxElements << " numbers";
  Matrix output(numOutputs, outputDim);
  for (const Chunk &chunk : chunks)
    if (failed(computeChunk(utterance, chunk, output)))
      return failure();
  for (int64_t r = 0; r < output.rows; ++r)
    finishRow(output.row(r));
  return output;
}

/// The instance for a chunk. Its times are shifted so that the first output is
/// at 0, and equal-shaped chunks share one.
FailureOr<RequestInstance *> UtteranceComputer::prepare(const Chunk &chunk) {
  // More rows than this a request cannot have.
  constexpr int64_t kMaxRows = int64_t(1) << 24;
  int64_t numInputs = chunk.lastInput - chunk.firstInput + 1;
  if (numInputs > kMaxRows)
    return emitError() << "expects chunks of at most " << kMaxRows
                       << " input frames, but got " << numInputs;
  NetworkOp network = runner->getNetwork();
  MLIRContext *mlirContext = network.getContext();
  OpBuilder builder(network->getBlock(), network->getBlock()->end());
  Location loc = network.getLoc();
  auto request = RequestOp::create(builder, loc, "chunk", network.getSymName(),
                                   /*need_model_derivative=*/false,
                                   /*store_component_stats=*/false);
  llvm::scope_exit erase([&] { request.erase(); });
  builder.setInsertionPointToStart(&request.getBody().emplaceBlock());
  auto times = [&](int64_t first, int64_t last, int64_t step) {
    SmallVector<int32_t> t;
    for (int64_t time = first; time <= last; time += step)
      t.push_back(int32_t(time));
    return IndexesAttr::get(mlirContext, ArrayRef<int32_t>(0), t,
                            ArrayRef<int32_t>(0), RowOrder::NT,
                            ArrayRef<int32_t>());
  };
  RequestInputOp::create(builder, loc, "input",
                         times(chunk.firstInput - chunk.firstFrame,
                               chunk.lastInput - chunk.firstFrame, 1),
                         /*has_deriv=*/false);
  if (ivectorDim > 0)
    RequestInputOp::create(builder, loc, "ivector", times(0, 0, 1),
                           /*has_deriv=*/false);
  RequestOutputOp::create(builder, loc, "output",
                          times(0, chunk.lastComputed - chunk.firstFrame,
                                chunking.options.frameSubsamplingFactor),
                          /*has_deriv=*/false);
  return runner->prepare(request);
}

FailureOr<ArrayRef<float>>
UtteranceComputer::getIvector(const Utterance &utterance, const Chunk &chunk) {
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

LogicalResult UtteranceComputer::computeChunk(const Utterance &utterance,
                                              const Chunk &chunk,
                                              Matrix &output) {
  FailureOr<RequestInstance *> instance = prepare(chunk);
  if (failed(instance))
    return failure();
  auto check = [&](const runtime::Status &status) -> LogicalResult {
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
            "ivector", runtime::ConstMatrixView(ivector->data(), 1, ivectorDim,
                                                ivectorDim)))))
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

/// (output - log prior) * scale, exponentiated where asked for.
void UtteranceComputer::finishRow(MutableArrayRef<float> row) {
  for (auto [i, prior] : llvm::enumerate(logPriors))
    row[i] -= prior;
  if (options.acousticScale != 1)
    for (float &value : row)
      value *= options.acousticScale;
  if (options.applyExp)
    for (float &value : row)
      value = std::exp(value);
}
