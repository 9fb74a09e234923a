//===- DoubleMemory.h - Numbers in double precision -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each is in two floats of the arena, as the host has it in memory, wherever
// that begins.
//
//===----------------------------------------------------------------------===//

#ifndef NNET3_CONVERSION_NNET3TOKERNELS_DOUBLEMEMORY_H
#define NNET3_CONVERSION_NNET3TOKERNELS_DOUBLEMEMORY_H

#include "nnet3/Conversion/KernelToVector/VectorEmitter.h"

namespace mlir::nnet3 {

/// Two words as one of twice their bits, the lower one first.
Value joinWords(OpBuilder &builder, Location loc, Value low, Value high);
std::pair<Value, Value> splitWords(OpBuilder &builder, Location loc,
                                   Value both);

/// The bits of a float, an i32.
Value loadWord(VectorEmitter &e, Value memory, Value place);
Value loadDouble(VectorEmitter &e, Value memory, Value place);
void storeDouble(VectorEmitter &e, Value element, Value memory, Value place);

} // namespace mlir::nnet3

#endif // NNET3_CONVERSION_NNET3TOKERNELS_DOUBLEMEMORY_H
