//===- Recognize.h - The program that recognises speech ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NNET3_TOOLS_RECOGNIZE_H
#define NNET3_TOOLS_RECOGNIZE_H

namespace mlir::nnet3 {

/// The main function of nnet3-recognize.
int recognizeMain(int argc, char **argv);

} // namespace mlir::nnet3

#endif // NNET3_TOOLS_RECOGNIZE_H
