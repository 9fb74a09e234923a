//===- CommandContext.h - State of a computation's conversion ---*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_CONVERSION_NNET3TOKERNELS_COMMANDCONTEXT_H
#define NNET3_CONVERSION_NNET3TOKERNELS_COMMANDCONTEXT_H

#include "Arena/ArenaPlan.h"
#include "Arena/PackedWeights.h"
#include "Arena/RowTables.h"
#include "ComponentPrecisions.h"
#include "KernelBuilder.h"

#include "nnet3/Arithmetic/RowEmission.h"
#include "nnet3/Dialect/Nnet3/Analysis/ComponentTable.h"
#include "nnet3/Dialect/Nnet3/IR/FusedCommandOps.h"

namespace mlir::nnet3 {

/// State that the functions of a module share.
struct KernelModule {
  KernelModule(kernel::TargetAttr target, bool device, Precision precision,
               const ComponentPrecisions &precisions, int64_t parallelFlops)
      : target(target), device(device), precision(precision),
        precisions(precisions), parallelFlops(parallelFlops), weights(target) {}

  kernel::TargetAttr target;
  /// Whether kernels have the form for devices: one list for both passes,
  /// matmuls of memory, and components with several grid-wide phases.
  bool device;
  /// Whether kernels run on the threads of a device rather than on a CPU.
  bool threads = false;
  /// Whether other processes compute parts of the same minibatch.
  bool isShared = false;
  Precision precision;                   ///< of matmuls that are large enough
  const ComponentPrecisions &precisions; ///< of CPUs
  /// Threads share the rows of matmuls with at least this many floating-point
  /// operations.
  int64_t parallelFlops;
  PackedWeights weights;
  RowTables tables;
  /// Calls of the runtime for components without generated code: `component`,
  /// `rows` of input and output, `precomputed`, and for random components
  /// `draw`, the number of the draw.
  SmallVector<Attribute> runtimeCalls;
};

/// The conversion of one computation: the layout of its matrices, the function
/// that is built, and the views that several kinds of commands need.
struct CommandContext {
  /// The first `reserved` floats of the arena belong to no matrix.
  CommandContext(ComputationOp computation, KernelModule &module,
                 int64_t reserved, const Padding &padding = Padding())
      : computation(computation), module(module), components(computation),
        arena(computation, reserved, padding), kernels(computation) {}

  /// Size of the arena with the memory after the matrices, in floats.
  int64_t getArenaSize() const { return arena.getSize() + sizeBehind; }
  /// Returns the offset of a scratch buffer of `size` floats for one command.
  int64_t getScratch(int64_t size);
  /// Adds the table that `getRows` returns, and returns its first entry.
  /// Commands in a loop get one table with a part for each round; then the
  /// first entry of the current round's part is returned.
  int64_t addTable(function_ref<SmallVector<int64_t>()> getRows);
  /// Adds the table of the offsets of `rows` in `sources`, with `none` for
  /// missing rows; returns its first entry.
  int64_t getTable(RowTableAttr rows, ValueRange sources, int64_t none);
  /// Creates a view of a matrix.
  Value createMatrix(Value matrix);
  /// Creates views of the first `count` vectors of per-column constants of a
  /// component.
  SmallVector<Value> createVectors(ComponentOpInterface component,
                                   unsigned count, int64_t columns);
  /// Creates ranges of the rows of a matrix at offset `getPlace()`, from
  /// `firsts` to `ends`.
  Value createRanges(function_ref<int64_t()> getPlace, int64_t stride,
                     int64_t columns, ArrayRef<int64_t> firsts,
                     ArrayRef<int64_t> ends);
  /// Creates a `kernel.map_rows`.
  void mapRows(const RowOperands &operands, int64_t parts,
               function_ref<void(RowEmission &)> body);

  ComputationOp computation;
  KernelModule &module;
  ComponentTable components;
  ArenaPlan arena;
  KernelBuilder kernels;
  int64_t sizeBehind = 0; ///< floats after the matrices
  int64_t numRounds = 1;  ///< of the loop whose commands are converted
};

/// Returns the distance between `numbers` if it is constant.
std::optional<int64_t> getDistance(ArrayRef<int64_t> numbers);

} // namespace mlir::nnet3

#endif // NNET3_CONVERSION_NNET3TOKERNELS_COMMANDCONTEXT_H
