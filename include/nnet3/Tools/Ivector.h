//===- Ivector.h - The program that computes i-vectors ----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NNET3_TOOLS_IVECTOR_H
#define NNET3_TOOLS_IVECTOR_H

namespace mlir::nnet3 {

/// The main function of nnet3-ivector (spec: ivectors.md 9).
int ivectorMain(int argc, char **argv);

} // namespace mlir::nnet3

#endif // NNET3_TOOLS_IVECTOR_H
