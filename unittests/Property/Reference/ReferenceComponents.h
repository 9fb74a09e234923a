//===- ReferenceComponents.h - Reference formulas of components -*- C++ -*-===//
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
/// Tensors by attribute name.
using Tensors = std::map<std::string, Vector>;

/// Points at which the derivative of a computation jumps or is infinite, in the
/// order of the computation.
struct Kinks {
  /// The side of each point: -1, 0 for the point itself, 1.
  std::vector<signed char> sides;
  /// The smallest distance from a kink.
  double nearest = std::numeric_limits<double>::infinity();

  /// Records a kink; `distance` is negative on one side of it.
  void pass(double distance) {
    sides.push_back(distance < 0 ? -1 : distance > 0);
    if (distance != 0)
      nearest = std::min(nearest, std::abs(distance));
  }
};

/// A component; its tensors may be changed from those of the op.
struct ReferenceComponent {
  explicit ReferenceComponent(Operation *op);

  const Vector &operator[](const std::string &tensor) const {
    return tensors.at(tensor);
  }

  Operation *op;
  Tensors tensors;
};

/// An input row that an output row of a component reads.
struct ReferenceInput {
  Index index;
  bool isRequired = true;
};

/// Returns the input rows that output row `index` of a component reads.
std::vector<ReferenceInput> getReferenceInputs(Operation *component,
                                               Index index);
/// Returns true if at least one input row must be available, required or not.
bool needsAnyInput(Operation *component);

/// Returns the output row `index` of a component, from its input rows in the
/// order of `getReferenceInputs`; missing rows are empty.
Vector evaluateComponent(const ReferenceComponent &component, Index index,
                         llvm::ArrayRef<Vector> inputs, Kinks &kinks);

/// Returns true if each output row depends on all input rows.
bool dependsOnBatch(Operation *component);
/// Returns all output rows of a component for which dependsOnBatch() is true.
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

// Returns the input rows of components that read other rows; none for other
// components.
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

/// The reads of an output row: input rows in the order of `getReferenceInputs`,
/// and the parts of its own index that matter.
struct PrecomputedReads {
  std::vector<int64_t> rows;
  Index index;
};

/// Returns the reads of output row `row` by the precomputed indexes of its
/// component. Components without precomputed indexes read the same row.
PrecomputedReads getPrecomputedReads(Operation *component,
                                     DictionaryAttr precomputed, int64_t row);

Vector composite(const ReferenceComponent &component, Vector x, Kinks &kinks);

} // namespace mlir::nnet3::property

#endif // NNET3_UNITTESTS_PROPERTY_REFERENCE_REFERENCECOMPONENTS_H
