//===- Locations.h - The source rows of commands ----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_COMPILE_LOCATIONS_H
#define NNET3_COMPILE_LOCATIONS_H

#include "nnet3/Compile/Steps.h"

namespace mlir::nnet3 {

/// The locations that one command adds, one for each row of its destination;
/// step -1 for a row without one.
using LocationVector = std::vector<RowLocation>;
/// For each row of a destination, the locations to add to it.
using LocationLists = std::vector<SmallVector<RowLocation, 2>>;

/// Splits lists of locations into vectors with at most one location per row. A
/// step that more than half of the rows read has vectors of its own (compile.md
/// 8.2). The vectors contain all locations of the lists.
std::vector<LocationVector> splitLocations(LocationLists lists);

/// Splits a vector so that commands can add to its locations: a vector with
/// several steps names no row of a matrix twice. A vector with a single step
/// may name a location several times; the rows are then summed (RowRanges.h).
/// `getOwner` returns the step whose matrix has the rows of a step, which is
/// another one for a dim-range step.
std::vector<LocationVector>
splitBackward(LocationVector vector, function_ref<int32_t(int32_t)> getOwner);

/// Locations that one command multiplies by a constant and adds.
struct ScaledVector {
  float alpha;
  LocationVector locations;
};

/// Returns the locations that the commands for part `part` of a descriptor step
/// add and for which `wants` returns true, grouped by their constants and split
/// with splitLocations().
std::vector<ScaledVector>
getVectors(const ComputationGraph &graph, const StepList &steps,
           const Step &step, const DescriptorPart &part,
           function_ref<bool(const RowLocation &)> wants);

} // namespace mlir::nnet3

#endif // NNET3_COMPILE_LOCATIONS_H
