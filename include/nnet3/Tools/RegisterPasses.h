//===- RegisterPasses.h - The passes that tools know by name ----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_TOOLS_REGISTERPASSES_H
#define NNET3_TOOLS_REGISTERPASSES_H

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace mlir::nnet3 {

/// Registers all passes and pipelines of the project, the passes of MLIR in
/// these pipelines, and the interfaces that they need in \p registry.
void registerPasses(DialectRegistry &registry);

} // namespace mlir::nnet3

#endif // NNET3_TOOLS_REGISTERPASSES_H
