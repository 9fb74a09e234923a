//===- ChainSupervisor.h - The step of chain training -----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Spec: chain.md 7.
//
//===----------------------------------------------------------------------===//

#ifndef NNET3_RUNTIME_CHAINSUPERVISOR_H
#define NNET3_RUNTIME_CHAINSUPERVISOR_H

#include "nnet3/runtime/ChainObjective.h"
#include "nnet3/runtime/OutputSupervisor.h"
#include "nnet3/runtime/RandomDraws.h"

#include <memory>
#include <string>
#include <vector>

namespace nnet3 {
namespace rt {

struct ChainTrainingOptions {
  ChainOptions objective;
  /// Scale of the derivative of the cross-entropy outputs; 0 = no such outputs.
  float xentRegularize = 0;
  /// Whether derivativeWeights of ChainOutput are used.
  bool applyDerivWeights = true;
  RandomDraws randomDraws = RandomDraws::Normal;
};

/// The supervision of the output `name`, and of the output `name`-xent if the
/// network has cross-entropy outputs.
struct ChainOutput {
  std::string name;
  ChainSupervision supervision;
  /// One weight per row, or empty.
  std::vector<float> derivativeWeights;
};

class ChainSupervisor final : public OutputSupervisor {
public:
  ChainSupervisor(std::shared_ptr<const DenominatorGraph> denominator,
                  const ChainTrainingOptions &options,
                  std::vector<ChainOutput> chainOutputs)
      : denominator(std::move(denominator)), options(options),
        chainOutputs(std::move(chainOutputs)) {}

  Result<std::vector<OutputObjective>>
  supervise(const std::vector<Output> &outputs, uint64_t seed) const override;

private:
  Status superviseOne(const ChainOutput &chainOutput, const Output &output,
                      const Output *crossEntropy, bool penalizesRange,
                      std::vector<OutputObjective> &objectives) const;

  std::shared_ptr<const DenominatorGraph> denominator;
  ChainTrainingOptions options;
  std::vector<ChainOutput> chainOutputs;
};

} // namespace rt
} // namespace nnet3

#endif // NNET3_RUNTIME_CHAINSUPERVISOR_H
