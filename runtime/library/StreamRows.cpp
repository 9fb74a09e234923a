//===- StreamRows.cpp - The rows of streams in a batch --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "StreamRows.h"

#include <cstring>

using namespace nnet3::rt;

/// Returns the rows of a node in the state.
static MatrixView getRows(const nnet3lib_step &step, const KeptRows &about) {
  auto *rows = reinterpret_cast<float *>(static_cast<char *>(step.state) +
                                         sizeof(StateHeader));
  return MatrixView(rows + about.offset, about.rows, about.cols, about.cols);
}

static void copyRow(float *to, const float *from, int32_t cols) {
  std::memcpy(to, from, static_cast<size_t>(cols) * sizeof(float));
}

static void zeroRow(float *to, int32_t cols) {
  std::memset(to, 0, static_cast<size_t>(cols) * sizeof(float));
}

/// Returns row \p row of an input, from the state or from the caller.
static const float *getRow(const StreamInput &input, const nnet3lib_step &step,
                           const MatrixView &kept, int32_t row) {
  if (row < input.keptRows)
    return kept.row(row);
  const nnet3lib_input &given = step.inputs[input.given];
  return given.data + (row - input.keptRows) * given.stride;
}

/// Returns the rows of the state that belong to an input; none if it has no
/// state.
static MatrixView getKept(const LibraryStream &stream, const StreamInput &input,
                          const nnet3lib_step &step) {
  return input.state < 0 ? MatrixView()
                         : getRows(step, stream.states[input.state]);
}

void nnet3::rt::gatherInput(const LibraryStream &stream,
                            const StreamInput &input, const nnet3lib_step &step,
                            int32_t slot, MatrixView to) {
  const MatrixView kept = getKept(stream, input, step);
  const int32_t rows = input.keptRows + input.newRows;
  for (int32_t row = 0; row < rows; ++row)
    copyRow(to.row(slot * rows + row), getRow(input, step, kept, row),
            input.cols);
}

void nnet3::rt::zeroInput(const StreamInput &input, int32_t firstSlot,
                          MatrixView to) {
  for (int32_t row = firstSlot * (input.keptRows + input.newRows);
       row < to.rows; ++row)
    zeroRow(to.row(row), input.cols);
}

void nnet3::rt::keepInput(const LibraryStream &stream, const StreamInput &input,
                          const nnet3lib_step &step) {
  const MatrixView kept = getKept(stream, input, step);
  int32_t to = 0;
  for (const int32_t from : input.keep) {
    // Rows move towards the start only: overwritten rows have been moved
    // before.
    if (from < 0)
      zeroRow(kept.row(to), input.cols);
    else if (from != to || from >= input.keptRows)
      copyRow(kept.row(to), getRow(input, step, kept, from), input.cols);
    ++to;
  }
}

void nnet3::rt::scatterOutput(const LibraryStream &stream,
                              const StreamShape &shape, size_t index,
                              int32_t slot, ConstMatrixView from,
                              const nnet3lib_step &step) {
  const int32_t state = shape.outputs[index];
  const nnet3lib_output &output = *step.output;
  if (state < 0 && !output.data)
    return;
  const MatrixView to = state < 0 ? MatrixView(output.data, shape.outputRows,
                                               shape.outputCols, output.stride)
                                  : getRows(step, stream.states[state]);
  for (int32_t row = 0; row < to.rows; ++row)
    copyRow(to.row(row), from.row(slot * to.rows + row), to.cols);
}
