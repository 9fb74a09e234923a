//===- VectorUpdate.cpp - Updates of vector parameters --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "VectorUpdate.h"
#include "core/ComponentState.h"
#include "cpu/RowCommands.h"

#include <limits>
#include <string>

namespace nnet3 {
namespace rt {

std::unique_ptr<CommandPlan> planVectorUpdate(int32_t rows, int32_t dim,
                                              int32_t blockDim, uint64_t more,
                                              ErrorSink &errors) {
  const int64_t blocks = int64_t(rows) * (dim / blockDim);
  if (blocks > std::numeric_limits<int32_t>::max())
    errors.fail("expects less than 2^31 blocks of rows, but got " +
                std::to_string(blocks));
  auto plan = std::make_unique<CommandPlan>();
  plan->backpropScratchBytes =
      sizeof(float) * (uint64_t(rows) * uint64_t(dim) + more);
  return plan;
}

MatrixView rowsInScratch(void *scratch, ConstMatrixView like,
                         int32_t blockDim) {
  return MatrixView(static_cast<float *>(scratch),
                    like.rows * (like.cols / blockDim), blockDim, blockDim);
}

void updateVector(ComponentState &state, size_t index, MatrixView derivs) {
  double rate = state.learningRate;
  if (!state.isGradient && index < state.preconditioners.size())
    rate *= state.preconditioners[index]->precondition(derivs);
  if (state.learningRate == 0) // only the preconditioner was updated
    return;
  const int32_t begin = 0, end = derivs.rows;
  addRowRanges(state.parameters[index], derivs, &begin, &end, /*step=*/1,
               static_cast<float>(rate));
}

} // namespace rt
} // namespace nnet3
