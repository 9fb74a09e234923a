//===- OutputSupervisor.h - Objectives of several outputs -------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_RUNTIME_OUTPUTSUPERVISOR_H
#define NNET3_RUNTIME_OUTPUTSUPERVISOR_H

#include "nnet3/runtime/MatrixView.h"
#include "nnet3/runtime/Objective.h"
#include "nnet3/runtime/Status.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace nnet3 {
namespace rt {

struct OutputObjective {
  /// That of the output; "_backstitch" is appended for the second half of a
  /// step with backstitch.
  std::string name;
  ObjectiveValue objective;
  /// What is maximised beside it.
  double auxiliary = 0;
};

/// Gives the objectives of a minibatch whose outputs have not each a matrix of
/// supervision.
class OutputSupervisor {
public:
  struct Output {
    std::string_view name;
    ConstMatrixView value;
    MatrixView derivative; ///< to be filled
  };

  virtual ~OutputSupervisor();

  /// \p outputs are those of which the program takes the derivative. Random
  /// choices are a function of \p seed. Errors: outputs that it does not know,
  /// or that are missing or of another shape.
  virtual Result<std::vector<OutputObjective>>
  supervise(const std::vector<Output> &outputs, uint64_t seed) const = 0;
};

} // namespace rt
} // namespace nnet3

#endif // NNET3_RUNTIME_OUTPUTSUPERVISOR_H
