//===- BackwardInterface.h - Code of backward passes ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_ARITHMETIC_BACKWARDINTERFACE_H
#define NNET3_ARITHMETIC_BACKWARDINTERFACE_H

#include "nnet3/Arithmetic/KernelInterfaces.h"
#include "nnet3/Arithmetic/ScalarArithmetic.h"

#include "nnet3/Arithmetic/BackwardInterface.h.inc"

#endif // NNET3_ARITHMETIC_BACKWARDINTERFACE_H
