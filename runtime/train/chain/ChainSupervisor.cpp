//===- ChainSupervisor.cpp - The step of chain training -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/runtime/ChainSupervisor.h"
#include "cpu/math/VectorMath.h"
#include "train/StepRandom.h"

namespace nnet3 {
namespace rt {

OutputSupervisor::~OutputSupervisor() = default;

static bool drawPenalty(RandomDraws draws, uint64_t seed) {
  if (draws != RandomDraws::Normal)
    return draws == RandomDraws::Zero;
  return stepRandom(seed, 0, StepPurpose::Objective, 0)[0] & 1;
}

static void scaleRow(const MatrixView &matrix, int32_t r, float scale) {
  for (int32_t c = 0; c < matrix.cols; ++c)
    matrix.row(r)[c] *= scale;
}

Status
ChainSupervisor::superviseOne(const ChainOutput &chainOutput,
                              const Output &output, const Output *crossEntropy,
                              bool penalizesRange,
                              std::vector<OutputObjective> &objectives) const {
  const MatrixView xent =
      crossEntropy ? crossEntropy->derivative : MatrixView();
  auto objective = computeChainObjective(*denominator, chainOutput.supervision,
                                         options.objective, penalizesRange,
                                         output.value, output.derivative, xent);
  if (!objective.ok())
    return invalidArgument("output '" + chainOutput.name + "' " +
                           objective.status().message());
  objectives.push_back({chainOutput.name,
                        {objective->objective, objective->weight},
                        objective->l2Term});
  if (crossEntropy) {
    double sum = 0;
    for (int32_t r = 0; r < xent.rows; ++r)
      sum += vecDot(xent.cols, crossEntropy->value.row(r), xent.row(r));
    objectives.push_back(
        {std::string(crossEntropy->name), {sum, objective->weight}});
  }

  const std::vector<float> &weights = chainOutput.derivativeWeights;
  const bool isWeighted = options.applyDerivWeights && !weights.empty();
  if (isWeighted && weights.size() != size_t(output.value.rows))
    return invalidArgument(
        "output '" + chainOutput.name + "' expects weights of " +
        std::to_string(output.value.rows) + " derivatives, but got " +
        std::to_string(weights.size()));
  for (int32_t r = 0; r < output.value.rows; ++r) {
    const float weight = isWeighted ? weights[r] : 1;
    if (isWeighted)
      scaleRow(output.derivative, r, weight);
    if (crossEntropy)
      scaleRow(xent, r, options.xentRegularize * weight);
  }
  return Status();
}

Result<std::vector<OutputObjective>>
ChainSupervisor::supervise(const std::vector<Output> &outputs,
                           uint64_t seed) const {
  auto find = [&](const std::string &name) -> const Output * {
    for (const Output &output : outputs)
      if (output.name == name)
        return &output;
    return nullptr;
  };
  const bool penalizesRange = drawPenalty(options.randomDraws, seed);
  std::vector<OutputObjective> objectives;
  for (const ChainOutput &chainOutput : chainOutputs) {
    const Output *output = find(chainOutput.name), *crossEntropy = nullptr;
    if (!output)
      return invalidArgument("the program has no output '" + chainOutput.name +
                             "' with a derivative");
    if (options.xentRegularize != 0) {
      crossEntropy = find(chainOutput.name + "-xent");
      if (!crossEntropy)
        return invalidArgument("the program has no output '" +
                               chainOutput.name + "-xent' with a derivative");
    }
    if (Status status = superviseOne(chainOutput, *output, crossEntropy,
                                     penalizesRange, objectives);
        !status.ok())
      return status;
  }
  if (objectives.size() != outputs.size())
    return invalidArgument(
        "expects supervision of " + std::to_string(outputs.size()) +
        " outputs, but got " + std::to_string(objectives.size()));
  return objectives;
}

} // namespace rt
} // namespace nnet3
