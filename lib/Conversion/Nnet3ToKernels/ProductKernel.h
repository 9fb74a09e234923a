//===- ProductKernel.h - Matrix products of a device's library --*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_CONVERSION_NNET3TOKERNELS_PRODUCTKERNEL_H
#define NNET3_CONVERSION_NNET3TOKERNELS_PRODUCTKERNEL_H

#include "KernelArguments.h"

namespace mlir::nnet3 {

/// A device's library may do what follows a product, or a kernel does: there
/// are kernels for both, and a program runs those of one form. The attribute
/// `nnet3.form` of their functions is `fused` or `apart`.
enum class ProductForm { Always, Fused, Apart };

void setForm(func::FuncOp function, ProductForm form);

/// What a product multiplies. X and Y are in the arena.
enum class ProductFactors {
  Forward,         ///< X W^T
  InputDerivative, ///< X W
  WeightDerivative ///< X^T W, where W is in the arena, too
};

/// Y := a product + beta Y, all with rows behind each other; several such
/// products with the same W at equal distances.
struct ProductKernel {
  ProductFactors factors = ProductFactors::Forward;
  /// Of 16 bits, X and W have two numbers in a float; places count floats, and
  /// strides and distances numbers.
  Precision precision = Precision::F32;
  int64_t rows, columns, depth; ///< of Y, of Y, of the sums
  int64_t inputStride, weightsStride, outputStride;
  int64_t batches = 1;
  int64_t inputBatch = 0, outputBatch = 0; ///< distances of products
  float beta = 0;
  ProductForm form = ProductForm::Always;
  bool bias = false; ///< what follows; in the form `fused` alone

  /// Creates the body of `function`: arena, weights, row tables, context, then
  /// the places of W, X, Y, and the bias. The loops say what is computed; the
  /// attribute `nnet3.product` says it in numbers, for a device's library.
  void emit(func::FuncOp function) const;
};

} // namespace mlir::nnet3

#endif // NNET3_CONVERSION_NNET3TOKERNELS_PRODUCTKERNEL_H
