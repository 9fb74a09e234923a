//===- Surgery.h - Programs that make and change models ---------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The main functions of Kaldi's programs between training and use (spec:
// nnet3bin.md 3 and 5), named after the programs.
//
//===----------------------------------------------------------------------===//
#ifndef NNET3_TOOLS_SURGERY_H
#define NNET3_TOOLS_SURGERY_H

namespace mlir::nnet3 {

int initMain(int argc, char **argv);
int infoMain(int argc, char **argv);
int amInfoMain(int argc, char **argv);
int amCopyMain(int argc, char **argv);
int amInitMain(int argc, char **argv);
int amTrainTransitionsMain(int argc, char **argv);

} // namespace mlir::nnet3

#endif // NNET3_TOOLS_SURGERY_H
