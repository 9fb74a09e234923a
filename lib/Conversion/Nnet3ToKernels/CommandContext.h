//===- CommandContext.h - A computation on its way --------------*- C++ -*-===//
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

/// What the functions of a module share.
struct KernelModule {
  KernelModule(kernel::TargetAttr target, bool device, Precision precision,
               const ComponentPrecisions &precisions, int64_t parallelFlops)
      : target(target), device(device), precision(precision),
        precisions(precisions), parallelFlops(parallelFlops), weights(target) {}

  kernel::TargetAttr target;
  /// Whether kernels have the form of those of devices: one list for both
  /// passes, products of memory, and components of several stages.
  bool device;
  /// Whether they are for the threads of a device, and not for a CPU.
  bool threads = false;
  Precision precision;                   ///< of products that are large enough
  const ComponentPrecisions &precisions; ///< of a CPU's
  /// Threads share the rows of products with at least so many floating-point
  /// operations.
  int64_t parallelFlops;
  PackedWeights weights;
  RowTables tables;
  /// Runs of components by the runtime: `component`, `rows` of input and
  /// output, `precomputed`, and `draw` for random ones: which numbers they
  /// draw.
  SmallVector<Attribute> runtimeCalls;
};

/// A computation on its way to a function: where its matrices are, the function
/// with the operations, and the views that several kinds of commands need.
struct CommandContext {
  /// With `reserved` floats at the beginning of the arena.
  CommandContext(ComputationOp computation, KernelModule &module,
                 int64_t reserved, const Padding &padding = Padding())
      : computation(computation), module(module), components(computation),
        arena(computation, reserved, padding), kernels(computation) {}

  /// Floats of the arena, with those behind the matrices.
  int64_t getArenaSize() const { return arena.getSize() + sizeBehind; }
  /// Place of `size` floats for one command alone.
  int64_t getScratch(int64_t size);
  /// Where the table that `getRows` gives begins. Commands in a loop have one
  /// table, with a part for each round; this is where the round's part begins.
  int64_t addTable(function_ref<SmallVector<int64_t>()> getRows);
  /// Where the table is that says where each row of `rows` is.
  int64_t getTable(RowTableAttr rows, ValueRange sources, int64_t none);
  /// A view of a matrix.
  Value createMatrix(Value matrix);
  /// Views of the first `count` vectors of per-column constants of a component.
  SmallVector<Value> createVectors(ComponentOpInterface component,
                                   unsigned count, int64_t columns);
  /// Ranges of the rows of a matrix at `getPlace()`, from `firsts` to `ends`.
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
  int64_t sizeBehind = 0; ///< floats behind the matrices
  int64_t numRounds = 1;  ///< of the loop whose commands are converted
};

/// The distance of `numbers`, if they are at equal ones.
std::optional<int64_t> getDistance(ArrayRef<int64_t> numbers);

} // namespace mlir::nnet3

#endif // NNET3_CONVERSION_NNET3TOKERNELS_COMMANDCONTEXT_H
