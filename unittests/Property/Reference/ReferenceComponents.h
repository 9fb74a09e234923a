//===- ReferenceComponents.h - What components mean -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The forward formulas of components.md 6, in double precision. Random
// components are evaluated in test mode; in training mode the value is NaN, so
// that no comparison with it succeeds.
//
//===----------------------------------------------------------------------===//

#ifndef NNET3_UNITTESTS_PROPERTY_REFERENCE_REFERENCECOMPONENTS_H
#define NNET3_UNITTESTS_PROPERTY_REFERENCE_REFERENCECOMPONENTS_H

#include "nnet3/Dialect/Nnet3/IR/ComponentOps.h"

#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace mlir::nnet3::property {

using Vector = std::vector<double>;
/// Values by the name of an attribute.
using Tensors = std::map<std::string, Vector>;

/// Where a computation came by points at which its derivative jumps or has no
/// finite value, in the order in which it did.
struct Kinks {
  /// The side of each: -1, 0 for the point itself, 1.
  std::vector<signed char> sides;
  /// The least distance, where there is any.
  double nearest = std::numeric_limits<double>::infinity();

  /// Comes by such a point; `distance` is negative on one side of it.
  void pass(double distance) {
    sides.push_back(distance < 0 ? -1 : distance > 0);
    if (distance != 0)
      nearest = std::min(nearest, std::abs(distance));
  }
};

/// A component; its tensors may be moved away from those of the op.
struct ReferenceComponent {
  explicit ReferenceComponent(Operation *op);

  const Vector &operator[](const std::string &tensor) const {
    return tensors.at(tensor);
  }

  Operation *op;
  Tensors tensors;
};

/// A row of its input that a row of a component reads.
struct ReferenceInput {
  Index index;
  bool isRequired = true;
};

/// The rows of its input that row `index` of a component reads.
std::vector<ReferenceInput> getReferenceInputs(Operation *component,
                                               Index index);
/// Whether one of them must be there, required or not.
bool needsAnyInput(Operation *component);

/// The output of a component at row `index`, from the rows it reads, which are
/// in the order of `getReferenceInputs`; those that are not there are empty.
Vector evaluateComponent(const ReferenceComponent &component, Index index,
                         llvm::ArrayRef<Vector> inputs, Kinks &kinks);

/// Whether each row of the output depends on all rows of the input.
bool dependsOnBatch(Operation *component);
/// All rows of the output of such a component.
std::vector<Vector> evaluateBatch(const ReferenceComponent &component,
                                  const std::vector<Vector> &inputs);

// Normalisation.
Vector normalize(NormalizeOp op, const Vector &x, Kinks &kinks);
Vector batchNorm(const ReferenceComponent &component, const Vector &x);

// Gated recurrent units.
Vector gru(const ReferenceComponent &component, const Vector &x);
Vector outputGru(const ReferenceComponent &component, const Vector &x);

// Blocks and images within a row.
Vector blockAffine(const ReferenceComponent &component, size_t numBlocks,
                   size_t outputDim, const Vector &x);
Vector convolution(const ReferenceComponent &component, const Vector &x);
Vector maxpooling(MaxpoolingOp op, const Vector &x, Kinks &kinks);
Vector pnorm(PnormOp op, const Vector &x, Kinks &kinks);

// Components that read other rows; nothing for others.
std::optional<std::vector<ReferenceInput>>
getContextInputs(Operation *component, Index index);
Vector distribute(DistributeOp op, Index index, const Vector &x);
Vector extractStatistics(StatisticsExtractionOp op,
                         llvm::ArrayRef<Vector> inputs);
Vector poolStatistics(StatisticsPoolingOp op, llvm::ArrayRef<Vector> inputs,
                      Kinks &kinks);
Vector timeHeightConvolution(const ReferenceComponent &component,
                             llvm::ArrayRef<Vector> inputs);
Vector attention(RestrictedAttentionOp op, llvm::ArrayRef<Vector> inputs);

/// What a row of a matrix is made of: rows of another one, in the order of
/// `getReferenceInputs`, and as much of the row's own index as matters.
struct PrecomputedReads {
  std::vector<int64_t> rows;
  Index index;
};

/// What row `row` of the output reads, by what was precomputed for its
/// component. Those that need nothing precomputed read the same row.
PrecomputedReads getPrecomputedReads(Operation *component,
                                     DictionaryAttr precomputed, int64_t row);

Vector composite(const ReferenceComponent &component, Vector x, Kinks &kinks);

} // namespace mlir::nnet3::property

#endif // NNET3_UNITTESTS_PROPERTY_REFERENCE_REFERENCECOMPONENTS_H
