//===- BuilderUtils.h - Groups of vector, index and loop ops ----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Helpers for operations that lowerings create often, and that take several
// upstream calls.
//
//===----------------------------------------------------------------------===//

#ifndef NNET3_CONVERSION_KERNELTOVECTOR_BUILDERUTILS_H
#define NNET3_CONVERSION_KERNELTOVECTOR_BUILDERUTILS_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace mlir::nnet3 {

/// Add and multiply indexes with the flag `nsw`: no signed overflow.
Value addIndex(ImplicitLocOpBuilder &b, Value x, Value y);
Value addIndex(ImplicitLocOpBuilder &b, Value x, int64_t y);
Value mulIndex(ImplicitLocOpBuilder &b, Value x, Value y);
Value mulIndex(ImplicitLocOpBuilder &b, Value x, int64_t y);
/// Quotient and remainder of a nonnegative index.
Value divIndex(ImplicitLocOpBuilder &b, Value x, int64_t y);
Value remIndex(ImplicitLocOpBuilder &b, Value x, int64_t y);

/// Returns a vector type of `length` elements, or `element` if `length` is 1.
Type getVectorOrScalar(int64_t length, Type element);

/// Loads a `type` of f32, a vector or a scalar, from `offset` of `memory`. An
/// `isAligned` vector is at a multiple of its size.
Value loadFrom(ImplicitLocOpBuilder &b, Type type, Value memory, Value offset,
               bool isAligned = false);
/// Stores a vector or a scalar in the same way.
void storeTo(ImplicitLocOpBuilder &b, Value value, Value memory, Value offset,
             bool isAligned = false);

/// Creates an scf.for that carries no values.
void forEachStep(ImplicitLocOpBuilder &b, Value begin, Value end, Value step,
                 function_ref<void(Value)> body);
void forEachStep(ImplicitLocOpBuilder &b, Value begin, Value end, int64_t step,
                 function_ref<void(Value)> body);
/// Creates a loop from 0 to `count`, or only its body for a single iteration.
void forEachStep(ImplicitLocOpBuilder &b, int64_t count, int64_t step,
                 function_ref<void(Value)> body);
/// Creates a loop from 0 to `count` whose iterations `threads` threads may
/// share: for several threads an scf.parallel, also for a single iteration.
void forEachApart(ImplicitLocOpBuilder &b, int64_t threads, int64_t count,
                  int64_t step, function_ref<void(Value)> body);
/// Creates an scf.parallel with one iteration for each of `threads` threads.
/// `body` gets the begin and the end of the thread's share of `count` items;
/// the share may be empty.
void forEachShare(ImplicitLocOpBuilder &b, int64_t threads, int64_t count,
                  function_ref<void(Value, Value)> body);
/// Creates an scf.parallel with steps of one.
void parallelFor(ImplicitLocOpBuilder &b, ValueRange begin, ValueRange end,
                 function_ref<void(ValueRange)> body);
/// Creates an scf.parallel from 0 to each of `counts` with steps of one.
void parallelFor(ImplicitLocOpBuilder &b, ArrayRef<int64_t> counts,
                 function_ref<void(ValueRange)> body);

} // namespace mlir::nnet3

#endif // NNET3_CONVERSION_KERNELTOVECTOR_BUILDERUTILS_H
