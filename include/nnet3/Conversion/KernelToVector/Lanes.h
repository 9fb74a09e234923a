//===- Lanes.h - Columns as vector lanes ------------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_CONVERSION_KERNELTOVECTOR_LANES_H
#define NNET3_CONVERSION_KERNELTOVECTOR_LANES_H

#include "nnet3/Conversion/KernelToVector/BuilderUtils.h"
#include "nnet3/Dialect/Kernel/IR/KernelDialect.h"

namespace mlir::nnet3::kernel {

/// Consecutive columns that are computed together: a single one, as a scalar,
/// or the lanes of a vector, which may be scalable.
class Lanes {
public:
  Lanes(int64_t count = 1) : count(count) {}
  /// The lanes of a scalable `type`. With `mask`, only its lanes are loaded and
  /// stored; loads of other lanes give zero.
  explicit Lanes(VectorType type, Value mask = {})
      : count(type.getDimSize(0)), scalable(true), mask(mask) {}

  bool isOne() const { return count == 1 && !scalable; }
  bool isScalable() const { return scalable; }
  /// Number of lanes; for scalable vectors, per unit of `vector.vscale`.
  int64_t getCount() const { return count; }

  VectorType getVectorType(Type element) const {
    return VectorType::get({count}, element, {scalable});
  }
  /// Like getVectorType(), but `element` for a single lane.
  Type getType(Type element) const {
    return isOne() ? element : Type(getVectorType(element));
  }

  /// Like loadFrom() and storeTo(), with the mask.
  Value load(ImplicitLocOpBuilder &b, Type type, Value memory, Value offset,
             bool isAligned = false) const;
  void store(ImplicitLocOpBuilder &b, Value value, Value memory, Value offset,
             bool isAligned = false) const;

private:
  int64_t count;
  bool scalable = false;
  Value mask;
};

/// Creates the number of elements of the scalable vector `type` at run time.
Value createLength(ImplicitLocOpBuilder &b, VectorType type);
/// Creates a mask of the first `count` elements of `type`, or of all elements
/// if there are fewer.
Value createMask(ImplicitLocOpBuilder &b, VectorType type, Value count);

/// Emits loops over vectors of `columns` columns: `body` gets the first column
/// and the lanes of a whole vector, and of the shorter vector of the remaining
/// columns.
void forEachVector(ImplicitLocOpBuilder &b, int64_t columns, TargetAttr target,
                   function_ref<void(Value, Lanes)> body);
/// As above with vectors of `length` columns, which `threads` threads share.
void forEachVector(ImplicitLocOpBuilder &b, int64_t columns, int64_t length,
                   function_ref<void(Value, Lanes)> body, int64_t threads = 1);

} // namespace mlir::nnet3::kernel

#endif // NNET3_CONVERSION_KERNELTOVECTOR_LANES_H
