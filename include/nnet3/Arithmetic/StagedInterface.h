//===- StagedInterface.h - Components with several phases -------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_ARITHMETIC_STAGEDINTERFACE_H
#define NNET3_ARITHMETIC_STAGEDINTERFACE_H

#include "nnet3/Arithmetic/StageEmission.h"

#include "mlir/IR/OpDefinition.h"

#include "nnet3/Arithmetic/StagedInterface.h.inc"

#endif // NNET3_ARITHMETIC_STAGEDINTERFACE_H
