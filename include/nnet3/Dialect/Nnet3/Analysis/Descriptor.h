//===- Descriptor.h - Descriptor expressions and their normal form --------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The expression tree of a descriptor, its normal form and its checks
// (descriptors.md). Config files are parsed into these trees, descriptor ops
// are read into them and built from them, and the compiler evaluates them.
//
//===----------------------------------------------------------------------===//

#ifndef NNET3_DIALECT_NNET3_ANALYSIS_DESCRIPTOR_H
#define NNET3_DIALECT_NNET3_ANALYSIS_DESCRIPTOR_H

#include "nnet3/Dialect/Nnet3/IR/NetworkOps.h"

#include "mlir/IR/Builders.h"
#include <string>
#include <vector>

namespace mlir::nnet3 {

/// One expression of the descriptor language.
struct Descriptor {
  enum class Kind {
    Node,         ///< `name`
    Append,       ///< operands side by side
    Sum,          ///< two operands when normalised
    Failover,     ///< operand 0, or operand 1 if that is not computable
    IfDefined,    ///< operand 0, or zeros if that is not computable
    Const,        ///< `alpha` in `dim` columns
    Offset,       ///< operand 0 at t + `t`, x + `x`
    Switch,       ///< operand t mod (number of operands)
    Round,        ///< operand 0 at t rounded down to a multiple of `t`
    ReplaceIndex, ///< operand 0 with `variable` replaced by `t`
    Scale,        ///< operand 0 times `alpha`
  };

  Kind kind = Kind::Node;
  std::vector<Descriptor> operands;
  /// Name of the node, for Node.
  std::string name;
  /// The node's value, for Node; null until it is resolved.
  Value value;
  /// Factor of Scale, value of Const.
  double alpha = 1.0;
  /// Offset in t; modulus of Round; value of ReplaceIndex.
  int32_t t = 0;
  /// Offset in x.
  int32_t x = 0;
  IndexVariable variable = IndexVariable::T;
  /// Columns of Const.
  int64_t dim = 0;
  /// The location of the expression in its source; may be null.
  LocationAttr loc;

  friend bool operator==(const Descriptor &a, const Descriptor &b);
};

/// The keyword of `kind` in text; empty for Node.
StringRef getKeyword(Descriptor::Kind kind);

/// Formats `value` with the fewest digits that read back as the same float32.
std::string formatReal(float value);

/// Prints the canonical text, `Append(a, Offset(b, -1))`. Numbers read back as
/// the same float32.
void print(const Descriptor &descriptor, raw_ostream &os);

/// Whether the expression fits the normalised grammar (descriptors.md 4).
bool isNormalized(const Descriptor &descriptor);

/// Emits an error at `loc`; `normalize` and the checks below use it.
using DescriptorEmitError = function_ref<InFlightDiagnostic(LocationAttr loc)>;

/// Brings a general expression to normal form (descriptors.md 5), or reports
/// why it has none.
FailureOr<Descriptor> normalize(const Descriptor &descriptor,
                                DescriptorEmitError emitError);

/// Number of columns, from the dims of the node values; reports operands of
/// different dims, and dims that are not 32-bit.
FailureOr<int64_t> getDim(const Descriptor &descriptor,
                          DescriptorEmitError emitError);

/// Checks of a normalised expression that concern single parts: one scale per
/// node within a part, no nonzero Const under a condition (descriptors.md 8).
LogicalResult verifyParts(const Descriptor &descriptor,
                          DescriptorEmitError emitError);

/// Least common multiple of positive numbers, or the largest int64_t if it
/// overflows: a period that is longer than any chunk.
int64_t saturatingLcm(int64_t a, int64_t b);

/// Returns the number M such that time shifts of a row by multiples of M shift
/// all its source rows by the same time (descriptors.md 9).
int64_t getModulus(const Descriptor &descriptor);

/// Reads the expression of `value`, the input of a node; Node leaves get the
/// node's name and value. The network must be verified, because descriptor ops
/// must not be cyclic.
Descriptor readDescriptor(Value value);

/// Creates the ops of `descriptor`, whose leaves must have values, and returns
/// the result.
Value buildDescriptor(OpBuilder &builder, const Descriptor &descriptor,
                      Location loc);

} // namespace mlir::nnet3

#endif // NNET3_DIALECT_NNET3_ANALYSIS_DESCRIPTOR_H
