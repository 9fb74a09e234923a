//===- UtteranceComputer.cpp - The network over an utterance --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Execution/UtteranceComputer.h"
#include "nnet3/Target/Program/ParameterBlob.h"

#include <cmath>

using namespace ::nnet3::kaldi;
using namespace mlir;
using namespace mlir::nnet3;

UtteranceComputer::UtteranceComputer(RequestRunner &runner,
                                     const ComputeOptions &options)
    : runner(runner), options(options), inputDim(runner.getDim("input")),
      ivectorDim(runner.getDim("ivector")), outputDim(runner.getDim("output")) {
}

LogicalResult UtteranceComputer::readPriors() {
  NetworkOp network = runner.getNetwork();
  ElementsAttr priors = network.getPriorsAttr();
  if (!options.usePriors || !priors || priors.empty())
    return success();
  if (priors.getNumElements() != outputDim)
    return network.emitError("expects ")
           << outputDim << " priors, one for each output, but got "
           << priors.getNumElements();
  logPriors.resize(outputDim);
  if (failed(copyTensor(priors, logPriors.data())))
    return network.emitError("the priors have no values");
  for (float &prior : logPriors)
    prior = std::log(prior);
  return success();
}

InFlightDiagnostic UtteranceComputer::emitError() {
  return runner.getNetwork().emitError();
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

FailureOr<Matrix>
UtteranceComputer::allocateOutput(const Utterance &utterance) {
  if (failed(checkDims(utterance)))
    return failure();
  FailureOr<int64_t> numRows = countRows(utterance);
  if (failed(numRows))
    return failure();
  // The same number of bytes as the runtime's limit for the matrices of a
  // program.
  constexpr int64_t maxElements = int64_t(1) << 32;
  if (*numRows > maxElements / outputDim)
    return emitError() << "the output of utterance '" << utterance.key
                       << "' would be " << *numRows << " x " << outputDim
                       << ", more than " << maxElements << " numbers";
  return Matrix(*numRows, outputDim);
}

FailureOr<Matrix> UtteranceComputer::compute(const Utterance &utterance) {
  FailureOr<Matrix> output = allocateOutput(utterance);
  if (failed(output) || failed(computeRows(utterance, *output)))
    return failure();
  finishOutput(*output);
  return output;
}

void UtteranceComputer::finishOutput(Matrix &output) {
  for (int64_t r = 0; r < output.rows; ++r)
    finishRow(output.row(r));
}

/// Computes (output - log prior) * scale in place, and exponentiates if
/// requested.
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
