//===- ProgramData.h - A loaded program -------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_RUNTIME_CORE_PROGRAMDATA_H
#define NNET3_RUNTIME_CORE_PROGRAMDATA_H

#include "Component.h"
#include "nnet3/runtime/AlignedMemory.h"
#include "nnet3/runtime/Runtime.h"
#include "nnet3/runtime/program_generated.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace nnet3 {
namespace rt {

/// A submatrix, by its offsets in its matrix.
struct Window {
  int32_t matrix = -1;
  int32_t rowOffset = 0;
  int32_t rows = 0;
  int32_t colOffset = 0;
  int32_t cols = 0;
  int64_t stride = 0;  ///< columns of the matrix
  int32_t rowStep = 0; ///< growth of rowOffset per iteration of a loop

  /// Offset in floats from the matrix in iteration \p round of the loop.
  int64_t offset(int64_t round) const {
    return (rowOffset + round * rowStep) * stride + colOffset;
  }
  bool overlaps(const Window &other) const {
    return matrix == other.matrix && rowOffset < other.rowOffset + other.rows &&
           other.rowOffset < rowOffset + rows &&
           colOffset < other.colOffset + other.cols &&
           other.colOffset < colOffset + cols;
  }
  bool operator==(const Window &other) const {
    return matrix == other.matrix && rowOffset == other.rowOffset &&
           rows == other.rows && colOffset == other.colOffset &&
           cols == other.cols && rowStep == other.rowStep;
  }
};

/// A verified command with its operands resolved.
struct ExecCommand {
  schema::Opcode opcode = schema::Opcode::NoOperationMarker;
  float alpha = 1;
  Window dst;
  Window src;
  /// Offset in the arena, in floats, of the matrix or compressed copy that the
  /// command allocates; -1 if it allocates none.
  int64_t storage = -1;
  /// Entries of the table, see RowLists.
  const int32_t *first = nullptr;
  const int32_t *second = nullptr;
  /// Values that a backprop or store_stats command reads; matrix -1 if absent.
  Window inValue;
  Window outValue;
  /// Step of the ranges of a table.
  int32_t step = 1;
  /// Element type of a compressed matrix; its range is alpha.
  schema::CompressedType elements = schema::CompressedType::Int8;
  /// Position among the inputs or outputs.
  int32_t io = -1;
  int32_t component = -1;
  /// Number of commands of the same kind before this one. Backprop commands
  /// count only if their component has no parameters.
  uint32_t number = 0;
  /// In a loop: the growth of `number` per iteration.
  uint32_t numberStep = 0;
  /// Number of iterations of a Repeat command.
  int32_t rounds = 0;
  uint32_t end = 0; ///< the command after the loop
  /// Offset of the memo in the arena, in floats; -1 if there is none.
  int64_t memo = -1;
  std::unique_ptr<CommandPlan> plan;
};

/// The expanded entries of a row table (first: rows), a multi table
/// (submatrices and rows) or a range table (begins and ends).
struct RowLists {
  std::vector<int32_t> first, second;
};

/// The commands of one run: the forward pass, or the backward pass.
struct Segment {
  uint32_t begin = 0;
  uint32_t end = 0;
  std::vector<int32_t> inputs; ///< accepted inputs
};

/// All of a loaded program. Immutable after loading.
struct ProgramData {
  /// A copy of the FlatBuffer; root, tables and names point into it.
  AlignedBytes buffer;
  const schema::Program *root = nullptr;
  Weights weights;
  /// Owns the weights, if the runtime has an owner for them.
  std::shared_ptr<const void> keepAlive;

  std::vector<IoInfo> inputs;
  std::vector<IoInfo> outputs;
  /// Offset in the arena of each output, in floats, and the segment that
  /// provides it.
  std::vector<int64_t> outputStorage;
  std::vector<uint32_t> outputSegment;
  std::vector<std::unique_ptr<Component>> components;
  std::vector<Window> windows;
  /// The expanded tables that commands use; unused tables stay empty.
  std::vector<RowLists> rowTables, multiTables, rangeTables;
  /// Indexes of inputs and outputs.
  std::vector<std::vector<int32_t>> ioIndexes;
  std::vector<ExecCommand> commands;
  std::vector<Segment> segments; ///< at least one

  /// The arena: matrices first, then the scratch buffer of one command.
  uint64_t matrixFloats = 0;
  uint64_t scratchBytes = 0;
  uint64_t arenaBytes() const {
    return matrixFloats * sizeof(float) + scratchBytes;
  }
  /// LoadOptions::maxArenaBytes, which limits the statistics of a model too.
  uint64_t maxArenaBytes = 0;
};

/// Returns the name of an opcode, such as "copy_rows".
const char *opcodeName(schema::Opcode opcode);

/// Program::commandText().
std::string commandText(const ProgramData &program, int32_t index);

} // namespace rt
} // namespace nnet3

#endif // NNET3_RUNTIME_CORE_PROGRAMDATA_H
