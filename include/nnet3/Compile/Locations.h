//===- Locations.h - Which rows each command reads --------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_COMPILE_LOCATIONS_H
#define NNET3_COMPILE_LOCATIONS_H

#include "nnet3/Compile/Steps.h"

namespace mlir::nnet3 {

/// The locations that one command adds, one per row of its destination; step
/// -1 where there is none.
using LocationVector = std::vector<RowLocation>;
/// For each row, the locations to be added to it.
using LocationLists = std::vector<SmallVector<RowLocation, 2>>;

/// Splits lists of locations into vectors with one location per row, such
/// that steps which more than half of the rows read have vectors of their own
/// (compile.md 8.2). The vectors together have the locations of the lists.
std::vector<LocationVector> splitLocations(LocationLists lists);

/// Splits a vector for writing to its locations: what names several steps names
/// no location twice. What names a single step may: its rows are then summed
/// (RowRanges.h).
std::vector<LocationVector> splitBackward(LocationVector vector);

/// Locations that one command adds, times a constant.
struct ScaledVector {
  float alpha;
  LocationVector locations;
};

/// What the commands for part `part` of a descriptor step add: the locations
/// for which `wants` holds, by their constants, split for reading.
std::vector<ScaledVector>
getVectors(const ComputationGraph &graph, const StepList &steps,
           const Step &step, const DescriptorPart &part,
           function_ref<bool(const RowLocation &)> wants);

} // namespace mlir::nnet3

#endif // NNET3_COMPILE_LOCATIONS_H
