//===- nnet3-tblgen.cpp - Tables and code from component records ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A TableGen backend that generates tables of config keys and of model tokens,
// methods of the op classes, and the attribute readers of the runtime from the
// records of components (ComponentFacts.td). Each generator has its own file
// and registers itself.
//
//===----------------------------------------------------------------------===//

#include "mlir/Tools/mlir-tblgen/MlirTblgenMain.h"

int main(int argc, char **argv) { return mlir::MlirTblgenMain(argc, argv); }
