//===- Plot.h - The program that plots training -----------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef NNET3_TOOLS_PLOT_H
#define NNET3_TOOLS_PLOT_H

namespace mlir::nnet3 {

/// The main function of nnet3-plot, which writes a page about the progress that
/// nnet3-train has recorded.
int plotMain(int argc, char **argv);

} // namespace mlir::nnet3

#endif // NNET3_TOOLS_PLOT_H
