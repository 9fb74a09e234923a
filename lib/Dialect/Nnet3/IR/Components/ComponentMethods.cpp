//===- ComponentMethods.cpp - Generated component methods -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Dims, properties, tensors and initial parameters of the component ops, which
// nnet3-tblgen writes.
//
//===----------------------------------------------------------------------===//

#include "../PrecomputedVerifier.h"
#include "Components.h"

#include "llvm/Support/MathExtras.h"
#include <cmath>
#include <limits>
#include <numeric>

using namespace mlir;
using namespace mlir::nnet3;
using namespace mlir::nnet3::detail;

/// Returns the product of three sizes below 2^31; on overflow a number larger
/// than all dims.
static int64_t multiply(int64_t a, int64_t b, int64_t c) {
  int64_t product;
  if (llvm::MulOverflow(a * b, c, product))
    return std::numeric_limits<int64_t>::max();
  return product;
}

#include "nnet3/Dialect/Nnet3/IR/component-methods.inc"

int64_t mlir::nnet3::detail::countWeightUses(Operation *op) {
  auto component = cast<ComponentOpInterface>(op);
  int64_t count = 0;
  for (const TensorSpec &tensor : component.getTensors())
    if (tensor.isParameter && tensor.shape.size() == 2)
      count += ShapedType::getNumElements(tensor.shape) *
               // An affine map may apply the same weights to several blocks.
               (component.getAffineDim() == 0
                    ? 1
                    : component.getComponentOutputDim() / tensor.shape.front());
  return count;
}
