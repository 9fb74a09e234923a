//===- PackedAffine.cpp - Affine maps of a few rows -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "PackedAffine.h"
#include "cpu/math/Clones.h"

#include <algorithm>
#include <cstring>

using namespace nnet3::rt;

/// Outputs per panel: one cache line of floats.
static constexpr int64_t kPanel = 16;
/// Rows per tile, so that its accumulators fit 16 registers of 8 floats.
static constexpr int32_t kMostRows = 6;

using PanelVector = float __attribute__((vector_size(kPanel * sizeof(float))));

namespace {
/// The operands of the matmul with one panel.
struct PanelTask {
  const float *panel;
  int64_t numInputs;
  ConstMatrixView in;
  MatrixView out;
  /// The first column of the panel in `out`, and its number of columns.
  int64_t column, numColumns;
};
} // namespace

template <int32_t kRows>
[[gnu::always_inline]] static inline void multiplyRows(const PanelTask &task,
                                                       int32_t first) {
  const auto load = [&](int64_t line) {
    PanelVector values;
    std::memcpy(&values, task.panel + line * kPanel, sizeof(values));
    return values;
  };
  PanelVector sums[kRows];
  const float *rows[kRows];
  for (int32_t r = 0; r < kRows; ++r) {
    sums[r] = load(0);
    rows[r] = task.in.row(first + r);
  }
  for (int64_t i = 0; i < task.numInputs; ++i) {
    const PanelVector weights = load(i + 1);
    for (int32_t r = 0; r < kRows; ++r)
      sums[r] += rows[r][i] * weights;
  }
  for (int32_t r = 0; r < kRows; ++r)
    std::memcpy(task.out.row(first + r) + task.column, &sums[r],
                task.numColumns * sizeof(float));
}

/// Splits the rows evenly into tiles: with few rows in a tile, the latency of
/// the accumulators limits the speed.
NNET3_CLONES static void multiplyPanel(const PanelTask &task) {
  // Prefetch the next panel.
  const float *next = task.panel + (task.numInputs + 1) * kPanel;
  for (int64_t i = 0; i <= task.numInputs; ++i)
    __builtin_prefetch(next + i * kPanel, /*rw=*/0, /*locality=*/2);
  const int32_t numRows = task.out.rows;
  const int32_t numBlocks = (numRows + kMostRows - 1) / kMostRows;
  for (int32_t block = 0, first = 0; block < numBlocks; ++block) {
    const int32_t end =
        static_cast<int32_t>(int64_t(numRows) * (block + 1) / numBlocks);
    switch (end - first) {
    case 1:
      multiplyRows<1>(task, first);
      break;
    case 2:
      multiplyRows<2>(task, first);
      break;
    case 3:
      multiplyRows<3>(task, first);
      break;
    case 4:
      multiplyRows<4>(task, first);
      break;
    case 5:
      multiplyRows<5>(task, first);
      break;
    default:
      multiplyRows<kMostRows>(task, first);
      break;
    }
    first = end;
  }
}

void PackedAffine::pack(ConstMatrixView weights,
                        const std::vector<float> &offsets) {
  numInputs = weights.cols;
  numOutputs = weights.rows;
  const int64_t numPanels = (numOutputs + kPanel - 1) / kPanel;
  const int64_t size = numPanels * (numInputs + 1) * kPanel;
  panels.resize(size);
  float *to = panels.data();
  std::fill_n(to, size, 0.0f);
  for (int64_t first = 0; first < numOutputs; first += kPanel) {
    const int64_t count = std::min(kPanel, numOutputs - first);
    std::copy_n(offsets.data() + first, count, to);
    to += kPanel;
    for (int64_t i = 0; i < numInputs; ++i, to += kPanel)
      for (int64_t output = 0; output < count; ++output)
        to[output] = weights.row(static_cast<int32_t>(first + output))[i];
  }
}

void PackedAffine::apply(ConstMatrixView in, MatrixView out) const {
  for (int64_t first = 0; first < numOutputs; first += kPanel)
    multiplyPanel({panels.data() + first * (numInputs + 1), numInputs, in, out,
                   first, std::min(kPanel, numOutputs - first)});
}
