//===- Xvector.h - Programs that compute x-vectors --------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NNET3_TOOLS_XVECTOR_H
#define NNET3_TOOLS_XVECTOR_H

namespace mlir::nnet3 {

/// The main functions of nnet3-xvector-compute and of the program that computes
/// several chunks at a time (spec: nnet3bin.md 14).
int xvectorComputeMain(int argc, char **argv);
int xvectorComputeBatchedMain(int argc, char **argv);

} // namespace mlir::nnet3

#endif // NNET3_TOOLS_XVECTOR_H
