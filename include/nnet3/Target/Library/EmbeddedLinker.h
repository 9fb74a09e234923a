//===- EmbeddedLinker.h - Programs that contain lld -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_TARGET_LIBRARY_EMBEDDEDLINKER_H
#define NNET3_TARGET_LIBRARY_EMBEDDEDLINKER_H

namespace mlir::nnet3 {

/// Declares that the running program acts as lld if it is called by the names
/// ld.lld and wasm-ld. Libraries are then linked by the program itself, not by
/// a compiler of this machine.
void declareEmbeddedLinker();

} // namespace mlir::nnet3

#endif // NNET3_TARGET_LIBRARY_EMBEDDEDLINKER_H
