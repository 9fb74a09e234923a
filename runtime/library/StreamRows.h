//===- StreamRows.h - The rows of streams in a batch ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_RUNTIME_LIBRARY_STREAMROWS_H
#define NNET3_RUNTIME_LIBRARY_STREAMROWS_H

#include "LibraryStream.h"
#include "nnet3/runtime/MatrixView.h"
#include "nnet3/runtime/nnet3lib.h"

namespace nnet3 {
namespace rt {

/// Puts the rows of a stream that an input has together, those kept and those
/// given, as its share number \p slot of \p to.
void gatherInput(const LibraryStream &stream, const StreamInput &input,
                 const nnet3lib_step &step, int32_t slot, MatrixView to);

/// Makes the share of the slots from \p firstSlot on zero.
void zeroInput(const StreamInput &input, int32_t firstSlot, MatrixView to);

/// Keeps in the state what later chunks read of an input.
void keepInput(const LibraryStream &stream, const StreamInput &input,
               const nnet3lib_step &step);

/// Copies the share number \p slot of output number \p index to where it
/// belongs: to the state or to the caller.
void scatterOutput(const LibraryStream &stream, const StreamShape &shape,
                   size_t index, int32_t slot, ConstMatrixView from,
                   const nnet3lib_step &step);

} // namespace rt
} // namespace nnet3

#endif // NNET3_RUNTIME_LIBRARY_STREAMROWS_H
