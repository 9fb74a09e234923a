//===- StackSteps.h - Which steps have one stack ----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_COMPILE_STACKSTEPS_H
#define NNET3_COMPILE_STACKSTEPS_H

#include "nnet3/Compile/StepRounds.h"

#include <map>

namespace mlir::nnet3 {

/// The stacks of values, or of derivatives, of recurrences with elided rounds.
/// The step of the first round identifies a stack. Dim-range steps outside of
/// the rounds, which take columns of a stack, share a stack of these columns,
/// which the first of them identifies.
class StackSteps {
public:
  StackSteps(const StepList &list, ArrayRef<StepRounds> rounds, bool ofDerivs);

  /// Returns the stack that holds the matrix of a step; -1 if there is none.
  int32_t get(int32_t step) const { return stacks.empty() ? -1 : stacks[step]; }
  /// Returns the stack of the columns of `stack` that dim-range node `node`
  /// takes outside of the rounds; -1 if it takes none.
  int32_t getColumns(int32_t stack, int32_t node) const;

private:
  std::vector<int32_t> stacks; ///< of each step; empty if there are none
  std::map<std::pair<int32_t, int32_t>, int32_t> columns;
};

} // namespace mlir::nnet3

#endif // NNET3_COMPILE_STACKSTEPS_H
