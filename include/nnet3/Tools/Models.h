//===- Models.h - Programs that change models -------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The main functions of Kaldi's programs on models (spec: nnet3bin.md 3, 5,
// 10).
//
//===----------------------------------------------------------------------===//
#ifndef NNET3_TOOLS_MODELS_H
#define NNET3_TOOLS_MODELS_H

namespace mlir::nnet3 {

int initMain(int argc, char **argv);
int infoMain(int argc, char **argv);
int averageMain(int argc, char **argv);

int amInitMain(int argc, char **argv);
int amInfoMain(int argc, char **argv);
int amCopyMain(int argc, char **argv);
int amTrainTransitionsMain(int argc, char **argv);
int adjustPriorsMain(int argc, char **argv);

} // namespace mlir::nnet3

#endif // NNET3_TOOLS_MODELS_H
