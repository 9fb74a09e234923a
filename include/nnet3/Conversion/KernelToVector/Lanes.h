//===- Lanes.h - Columns that are computed at once --------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_CONVERSION_KERNELTOVECTOR_LANES_H
#define NNET3_CONVERSION_KERNELTOVECTOR_LANES_H

#include "nnet3/Conversion/KernelToVector/BuilderUtils.h"
#include "nnet3/Dialect/Kernel/IR/KernelDialect.h"

namespace mlir::nnet3::kernel {

/// Neighbouring columns that are computed at once: one, as a scalar, or the
/// lanes of a vector, which may be scalable.
class Lanes {
public:
  Lanes(int64_t count = 1) : count(count) {}
  /// Those of a scalable `type`; with `mask` only its lanes are loaded, as
  /// zeros otherwise, and stored.
  explicit Lanes(VectorType type, Value mask = {})
      : count(type.getDimSize(0)), scalable(true), mask(mask) {}

  bool isOne() const { return count == 1 && !scalable; }
  bool isScalable() const { return scalable; }
  /// Their number; of scalable ones, for each unit of `vector.vscale`.
  int64_t getCount() const { return count; }

  VectorType getVectorType(Type element) const {
    return VectorType::get({count}, element, {scalable});
  }
  /// As getVectorType(), but a scalar for one.
  Type getType(Type element) const {
    return isOne() ? element : Type(getVectorType(element));
  }

  /// Loads as many f32 or stores `value`, as loadFrom() and storeTo() do.
  Value load(ImplicitLocOpBuilder &b, Type type, Value memory, Value offset,
             bool isAligned = false) const;
  void store(ImplicitLocOpBuilder &b, Value value, Value memory, Value offset,
             bool isAligned = false) const;

private:
  int64_t count;
  bool scalable = false;
  Value mask;
};

/// Elements of a scalable vector on the machine.
Value createLength(ImplicitLocOpBuilder &b, VectorType type);
/// A mask of the first `count` elements of `type`, or all if there are fewer.
Value createMask(ImplicitLocOpBuilder &b, VectorType type, Value count);

/// Calls `body` with the first column and the lanes of each vector of `columns`
/// columns, and of what is left.
void forEachVector(ImplicitLocOpBuilder &b, int64_t columns, TargetAttr target,
                   function_ref<void(Value, Lanes)> body);
/// The same in vectors of `length` columns, which `threads` threads share.
void forEachVector(ImplicitLocOpBuilder &b, int64_t columns, int64_t length,
                   function_ref<void(Value, Lanes)> body, int64_t threads = 1);

} // namespace mlir::nnet3::kernel

#endif // NNET3_CONVERSION_KERNELTOVECTOR_LANES_H
