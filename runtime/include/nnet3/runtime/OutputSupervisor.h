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
  /// Name of the output, with "_backstitch" appended for the second half of a
  /// step with backstitch.
  std::string name;
  ObjectiveValue objective;
  /// Auxiliary objective, such as an l2 term, which is maximised, too.
  double auxiliary = 0;
};

/// Computes the objectives of a minibatch in place of one supervision matrix
/// per output.
class OutputSupervisor {
public:
  struct Output {
    std::string_view name;
    ConstMatrixView value;
    MatrixView derivative; ///< to be written
  };

  virtual ~OutputSupervisor();

  /// Computes the objectives of \p outputs, which are all outputs whose
  /// derivative the program reads, and their derivatives. Random choices depend
  /// on \p seed only. Errors: unknown or missing outputs, wrong shapes.
  virtual Result<std::vector<OutputObjective>>
  supervise(const std::vector<Output> &outputs, uint64_t seed) const = 0;
};

} // namespace rt
} // namespace nnet3

#endif // NNET3_RUNTIME_OUTPUTSUPERVISOR_H
