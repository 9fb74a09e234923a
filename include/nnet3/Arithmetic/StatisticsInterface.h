//===- StatisticsInterface.h - Components that keep statistics --*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_ARITHMETIC_STATISTICSINTERFACE_H
#define NNET3_ARITHMETIC_STATISTICSINTERFACE_H

#include "nnet3/Arithmetic/StageEmission.h"

#include "mlir/IR/OpDefinition.h"

#include "nnet3/Arithmetic/StatisticsInterface.h.inc"

#endif // NNET3_ARITHMETIC_STATISTICSINTERFACE_H
