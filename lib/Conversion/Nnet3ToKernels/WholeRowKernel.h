//===- WholeRowKernel.h - Components with code for a row --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_CONVERSION_NNET3TOKERNELS_WHOLEROWKERNEL_H
#define NNET3_CONVERSION_NNET3TOKERNELS_WHOLEROWKERNEL_H

#include "GemmKernel.h"

namespace mlir::nnet3 {
class RowOperands;

/// A component of which a CPU computes row after row, or a block of a device's
/// threads some columns of a row, a part of it, or all of it.
struct WholeRowKernel {
  RowKernelInterface component;
  /// Whether it computes the factor of its product (FactorKernelInterface).
  bool isFactor = false;
  int64_t rows;         ///< of the output
  int64_t columns;      ///< of the output's parts
  int64_t outputStride; ///< distance of rows
  int64_t inputStride;  ///< 0: no input is read
  /// Of RowReads::Shifted: floats between the rows that are read.
  int64_t rowDistance = 0;
  /// Of RowReads::Range: the distance of the first rows that are read; none
  /// where a table says where each is. How many rows are read; none where a
  /// table says it.
  std::optional<int64_t> beginStride, rangeRows;

  RowReads getReads() const;
  bool hasInput() const { return inputStride != 0; }
  /// Kernel vectors and index lists of the component.
  unsigned getNumVectors() const;
  unsigned getNumIndexes() const;

  /// Creates the body of `function`: arena, weights, row tables, context, then
  /// the places of each kernel vector, of each index list in the tables, of the
  /// output, the input if there is one (the table of first rows if they are in
  /// one), and the table of numbers of rows.
  void emit(func::FuncOp function, const VectorTarget &target) const;

private:
  void emitRow(RowOperands &operands) const;
};

} // namespace mlir::nnet3

#endif // NNET3_CONVERSION_NNET3TOKERNELS_WHOLEROWKERNEL_H
