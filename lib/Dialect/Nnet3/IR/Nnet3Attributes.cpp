//===- Nnet3Attributes.cpp - Attributes of the nnet3 dialect --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Dialect/Nnet3/IR/Nnet3Dialect.h"

#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::nnet3;

#define GET_ATTRDEF_CLASSES
#include "nnet3/Dialect/Nnet3/IR/Nnet3Attributes.cpp.inc"

void Nnet3Dialect::registerAttributes() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "nnet3/Dialect/Nnet3/IR/Nnet3Attributes.cpp.inc"
      >();
}
