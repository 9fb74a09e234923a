//===- BackwardInterface.h - Backward passes as generated code --*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_FUSION_BACKWARDINTERFACE_H
#define NNET3_FUSION_BACKWARDINTERFACE_H

#include "nnet3/Fusion/BackwardEmission.h"

#include "mlir/IR/OpDefinition.h"

#include "nnet3/Fusion/BackwardInterface.h.inc"

#endif // NNET3_FUSION_BACKWARDINTERFACE_H
