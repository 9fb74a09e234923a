//===- Transpose.cpp - Transposed copies of matrices ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Transpose.h"

#include <algorithm>

namespace nnet3 {
namespace rt {

/// Rows and columns of a block: a cache line of floats.
static constexpr int32_t kBlock = 16;

void transpose(ConstMatrixView from, MatrixView to) {
  for (int32_t row = 0; row < from.rows; row += kBlock)
    for (int32_t col = 0; col < from.cols; col += kBlock) {
      const int32_t rows = std::min(kBlock, from.rows - row),
                    cols = std::min(kBlock, from.cols - col);
      for (int32_t r = 0; r < rows; ++r)
        for (int32_t c = 0; c < cols; ++c)
          to.row(col + c)[row + r] = from.row(row + r)[col + c];
    }
}

} // namespace rt
} // namespace nnet3
