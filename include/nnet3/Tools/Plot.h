//===- Plot.h - Pictures of training ----------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NNET3_TOOLS_PLOT_H
#define NNET3_TOOLS_PLOT_H

namespace mlir::nnet3 {

/// The program nnet3-plot: makes a page of what nnet3-train recorded.
int plotMain(int argc, char **argv);

} // namespace mlir::nnet3

#endif // NNET3_TOOLS_PLOT_H
