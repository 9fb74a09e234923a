//===- ConstantComponents.cpp ------------------------------------------------===//

#include "Components.h"

#define GET_OP_CLASSES
#include "nnet3/Dialect/Nnet3/IR/ConstantComponentOps.cpp.inc"
