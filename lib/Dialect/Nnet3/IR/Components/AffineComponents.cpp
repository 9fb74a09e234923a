//===- AffineComponents.cpp - Affine components ---------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Components.h"

using namespace mlir;
using namespace mlir::nnet3;

#define GET_OP_CLASSES
#include "nnet3/Dialect/Nnet3/IR/Components/AffineComponentOps.cpp.inc"
