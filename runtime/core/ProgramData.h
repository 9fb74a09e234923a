//===- ProgramData.h - A program as the executor sees it --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_RUNTIME_CORE_PROGRAMDATA_H
#define NNET3_RUNTIME_CORE_PROGRAMDATA_H

#include "AlignedMemory.h"
#include "Component.h"
#include "nnet3/runtime/Runtime.h"
#include "nnet3/runtime/program_generated.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace nnet3 {
namespace rt {

/// A submatrix: where it lies in its matrix.
struct Window {
  int32_t matrix = -1;
  int32_t rowOffset = 0;
  int32_t rows = 0;
  int32_t colOffset = 0;
  int32_t cols = 0;
  int64_t stride = 0;  ///< columns of the matrix
  int32_t rowStep = 0; ///< rows from one round of a loop to the next

  /// In floats; \p round is that of the loop.
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
  /// Where the matrix, or compressed one, that begins to exist lies in the
  /// arena, in floats; -1 without one.
  int64_t storage = -1;
  /// Entries of the table, see RowLists.
  const int32_t *first = nullptr;
  const int32_t *second = nullptr;
  /// Values that a backprop or store_stats command reads; no matrix where
  /// absent.
  Window inValue;
  Window outValue;
  /// Step of the ranges of a table.
  int32_t step = 1;
  /// Of the compressed matrix, whose range is alpha.
  schema::CompressedType elements = schema::CompressedType::Int8;
  /// Position among the inputs or outputs.
  int32_t io = -1;
  int32_t component = -1;
  /// How many commands of the same kind come before this one; of backprop
  /// commands only those of components without parameters count.
  uint32_t number = 0;
  /// In a loop: how many there are of them in a round.
  uint32_t numberStep = 0;
  /// Of a loop.
  int32_t rounds = 0;
  uint32_t end = 0; ///< the command behind it
  /// Where the memo lies in the arena, in floats; -1 where there is none.
  int64_t memo = -1;
  std::unique_ptr<CommandPlan> plan;
};

/// The entries of a table of rows: rows; or submatrices and rows; or begins and
/// ends.
struct RowLists {
  std::vector<int32_t> first, second;
};

/// Commands that run at a time: the forward pass, or the backward pass.
struct Segment {
  uint32_t begin = 0;
  uint32_t end = 0;
  std::vector<int32_t> inputs; ///< that it accepts
};

/// All of a loaded program. Immutable after loading.
struct ProgramData {
  /// A copy of the FlatBuffer; root, tables and names point into it.
  AlignedBytes buffer;
  const schema::Program *root = nullptr;
  Weights weights;
  /// Owns the weights, where the runtime knows who does.
  std::shared_ptr<const void> keepAlive;

  std::vector<IoInfo> inputs;
  std::vector<IoInfo> outputs;
  /// Where each output lies in the arena, in floats, and which segment provides
  /// it.
  std::vector<int64_t> outputStorage;
  std::vector<uint32_t> outputSegment;
  std::vector<std::unique_ptr<Component>> components;
  std::vector<Window> windows;
  /// The tables that commands use; the others stay empty.
  std::vector<RowLists> rowTables, multiTables, rangeTables;
  /// Indexes of inputs and outputs.
  std::vector<std::vector<int32_t>> ioIndexes;
  std::vector<ExecCommand> commands;
  std::vector<Segment> segments; ///< at least one

  /// The arena: matrices first, then scratch memory for one command.
  uint64_t matrixFloats = 0;
  uint64_t scratchBytes = 0;
  uint64_t arenaBytes() const {
    return matrixFloats * sizeof(float) + scratchBytes;
  }
  /// LoadOptions::maxArenaBytes, which limits the statistics of a model too.
  uint64_t maxArenaBytes = 0;
};

/// The name of an opcode as in design documents: "copy_rows".
const char *opcodeName(schema::Opcode opcode);

/// Program::commandText().
std::string commandText(const ProgramData &program, int32_t index);

} // namespace rt
} // namespace nnet3

#endif // NNET3_RUNTIME_CORE_PROGRAMDATA_H
