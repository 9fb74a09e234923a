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

/// Gathers the kept and the new rows of an input of a stream into slot \p slot
/// of \p to.
void gatherInput(const LibraryStream &stream, const StreamInput &input,
                 const nnet3lib_step &step, int32_t slot, MatrixView to);

/// Zero-fills the slots of \p to from \p firstSlot on.
void zeroInput(const StreamInput &input, int32_t firstSlot, MatrixView to);

/// Copies the rows of an input that later chunks read to the state.
void keepInput(const LibraryStream &stream, const StreamInput &input,
               const nnet3lib_step &step);

/// Copies slot \p slot of output number \p index to the state or to the
/// caller's output.
void scatterOutput(const LibraryStream &stream, const StreamShape &shape,
                   size_t index, int32_t slot, ConstMatrixView from,
                   const nnet3lib_step &step);

} // namespace rt
} // namespace nnet3

#endif // NNET3_RUNTIME_LIBRARY_STREAMROWS_H
