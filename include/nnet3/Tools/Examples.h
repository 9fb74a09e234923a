//===- Examples.h - Programs on training examples ---------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The main functions of Kaldi's programs on training examples (spec:
// nnet3bin.md 12, chain.md 9). Programs that read examples accept plain and
// chain examples.
//
//===----------------------------------------------------------------------===//
#ifndef NNET3_TOOLS_EXAMPLES_H
#define NNET3_TOOLS_EXAMPLES_H

namespace mlir::nnet3 {

int copyEgsMain(int argc, char **argv);
int mergeEgsMain(int argc, char **argv);
int shuffleEgsMain(int argc, char **argv);
int subsetEgsMain(int argc, char **argv);
int getEgsMain(int argc, char **argv);
int getEgsDenseTargetsMain(int argc, char **argv);
int getEgsSimpleMain(int argc, char **argv);
int getEgsTeacherMain(int argc, char **argv);
int chainGetEgsMain(int argc, char **argv);
int xvectorGetEgsMain(int argc, char **argv);

} // namespace mlir::nnet3

#endif // NNET3_TOOLS_EXAMPLES_H
