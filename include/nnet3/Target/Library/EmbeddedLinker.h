//===- EmbeddedLinker.h - Programs that are lld, too ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_TARGET_LIBRARY_EMBEDDEDLINKER_H
#define NNET3_TARGET_LIBRARY_EMBEDDEDLINKER_H

namespace mlir::nnet3 {

/// Declares that the running program is lld if it is called by the names ld.lld
/// and wasm-ld: it then links libraries itself, and no compiler of this machine
/// does.
void declareEmbeddedLinker();

} // namespace mlir::nnet3

#endif // NNET3_TARGET_LIBRARY_EMBEDDEDLINKER_H
