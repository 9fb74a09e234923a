//===- BuilderUtils.h - Groups of vector, index and loop ops ----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What generators of kernels create often, and upstream has no one call for.
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

/// Sums and products of indexes that do not overflow as signed numbers.
Value addIndex(ImplicitLocOpBuilder &b, Value x, Value y);
Value addIndex(ImplicitLocOpBuilder &b, Value x, int64_t y);
Value mulIndex(ImplicitLocOpBuilder &b, Value x, Value y);
Value mulIndex(ImplicitLocOpBuilder &b, Value x, int64_t y);
/// The quotient and the remainder of an index that is not negative.
Value divIndex(ImplicitLocOpBuilder &b, Value x, int64_t y);
Value remIndex(ImplicitLocOpBuilder &b, Value x, int64_t y);

/// The type of a vector of `length` elements, or of one scalar.
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
/// The same from 0 to `count`; without a loop if there is one iteration.
void forEachStep(ImplicitLocOpBuilder &b, int64_t count, int64_t step,
                 function_ref<void(Value)> body);
/// The same for iterations that `threads` threads may share. For several
/// threads, creates an scf.parallel, also around one iteration.
void forEachApart(ImplicitLocOpBuilder &b, int64_t threads, int64_t count,
                  int64_t step, function_ref<void(Value)> body);
/// Creates an scf.parallel with one iteration for each of `threads` threads.
/// `body` gets where its share of `count` things begins and ends; shares may be
/// empty.
void forEachShare(ImplicitLocOpBuilder &b, int64_t threads, int64_t count,
                  function_ref<void(Value, Value)> body);
/// Creates an scf.parallel with steps of one.
void parallelFor(ImplicitLocOpBuilder &b, ValueRange begin, ValueRange end,
                 function_ref<void(ValueRange)> body);
/// The same from 0 to each of `counts`.
void parallelFor(ImplicitLocOpBuilder &b, ArrayRef<int64_t> counts,
                 function_ref<void(ValueRange)> body);

} // namespace mlir::nnet3

#endif // NNET3_CONVERSION_KERNELTOVECTOR_BUILDERUTILS_H
