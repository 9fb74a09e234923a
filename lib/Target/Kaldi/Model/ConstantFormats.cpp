//===- ConstantFormats.cpp - Tokens of trained constants ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ComponentFormat.h"
#include "nnet3/Dialect/Nnet3/IR/ComponentOps.h"

using namespace mlir;
using namespace mlir::nnet3;

namespace mlir::nnet3 {

using K = TokenKind;
using Token = TokenField;

/// The dim is that of the vector.
static std::string completeConstant(ComponentAttributes &attributes) {
  attributes.setInt("output_dim", attributes.getShape("output")[0]);
  return {};
}

ArrayRef<ComponentFormat> getConstantFormats() {
  Token output("<Output>", K::Vector, "output");
  Token isUpdatable("<IsUpdatable>", K::Bool, "is_updatable");
  Token naturalGradient("<UseNaturalGradient>", K::Bool,
                        "use_natural_gradient");

  static const ComponentFormat formats[] = {
      makeFormat<ConstantOp>(updatable({output, isUpdatable, naturalGradient},
                                       /*mayLackRate=*/true),
                             completeConstant),
      makeFormat<ConstantFunctionOp>(
          updatable({Token("<InputDim>", K::Int, "input_dim"), output,
                     isUpdatable, naturalGradient},
                    /*mayLackRate=*/true),
          completeConstant),
  };
  return formats;
}

} // namespace mlir::nnet3
