//===- ConvertSizes.cpp - Nodes that compute shapes -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Models with dynamic dimensions compute shapes for Reshape and for the zero
// states of recurrences.
//
//===----------------------------------------------------------------------===//

#include "OnnxImporter.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::nnet3;

/// The longest list of integers that ConstantOfShape may make.
static constexpr int64_t kMaxIntegers = 64;

LogicalResult mlir::nnet3::convertConstant(OnnxImporter &importer,
                                           const OnnxNode &node) {
  if (const onnx::AttributeProto *value = node.find("value")) {
    importer.set(node.getOutput(), &value->t());
    return success();
  }
  if (node.find("value_int")) {
    importer.set(node.getOutput(),
                 OnnxTensor::ofInteger(node.getInt("value_int", 0)));
    return success();
  }
  if (auto values = node.getInts("value_ints")) {
    importer.set(node.getOutput(), OnnxTensor::ofIntegers(*values));
    return success();
  }
  if (node.find("value_float")) {
    OnnxTensor tensor;
    tensor.reals.push_back(node.getFloat("value_float", 0));
    importer.set(node.getOutput(), std::move(tensor));
    return success();
  }
  return node.emitError() << "expects a tensor, an integer, integers or a "
                             "real number as its value";
}

LogicalResult mlir::nnet3::convertShape(OnnxImporter &importer,
                                        const OnnxNode &node) {
  FailureOr<RowTensor> rows = importer.getRows(node);
  if (failed(rows))
    return failure();
  const SmallVector<int64_t> sizes = rows->axes.getSizes();
  const int64_t rank = sizes.size();
  auto bring = [&](int64_t i) {
    return std::clamp<int64_t>(i < 0 ? i + rank : i, 0, rank);
  };
  const int64_t begin = bring(node.getInt("start", 0));
  const int64_t end = std::max(begin, bring(node.getInt("end", rank)));
  importer.set(node.getOutput(),
               OnnxTensor::ofIntegers(
                   ArrayRef<int64_t>(sizes).slice(begin, end - begin)));
  return success();
}

LogicalResult mlir::nnet3::convertGather(OnnxImporter &importer,
                                         const OnnxNode &node) {
  if (importer.isRows(node, 0))
    return node.emitError() << "is supported for sizes only";
  FailureOr<OnnxTensor> sizes = importer.getConstant(node, 0);
  if (failed(sizes))
    return failure();
  FailureOr<OnnxTensor> indexes = importer.getConstant(node, 1);
  if (failed(indexes))
    return failure();
  if (!sizes->isInteger || sizes->shape.size() != 1 || !indexes->isInteger ||
      indexes->shape.size() > 1)
    return node.emitError() << "is supported for sizes only";
  OnnxTensor result;
  result.shape = indexes->shape;
  result.isInteger = true;
  const int64_t size = sizes->size();
  for (int64_t index : indexes->integers) {
    if (index < -size || index >= size)
      return node.emitError()
             << "there is no element " << index << " of " << size;
    result.integers.push_back(
        sizes->integers[index < 0 ? index + size : index]);
  }
  importer.set(node.getOutput(), std::move(result));
  return success();
}

/// Returns the number of columns of two axes together.
LogicalResult mlir::nnet3::convertProductOfSizes(OnnxImporter &importer,
                                                 const OnnxNode &node) {
  FailureOr<OnnxTensor> a = importer.getConstant(node, 0);
  if (failed(a))
    return failure();
  FailureOr<OnnxTensor> b = importer.getConstant(node, 1);
  if (failed(b))
    return failure();
  int64_t product;
  if (node.getKind() != "Mul" || !a->isInteger || !b->isInteger ||
      a->size() != 1 || b->size() != 1 || a->integers[0] < 0 ||
      b->integers[0] < 0 ||
      llvm::MulOverflow(a->integers[0], b->integers[0], product))
    return node.emitError() << "of constants is supported for two sizes that "
                               "are known";
  OnnxTensor result = OnnxTensor::ofInteger(product);
  result.shape = a->shape.size() > b->shape.size() ? a->shape : b->shape;
  importer.set(node.getOutput(), std::move(result));
  return success();
}

LogicalResult mlir::nnet3::convertConstantOfShape(OnnxImporter &importer,
                                                  const OnnxNode &node) {
  FailureOr<OnnxTensor> shape = importer.getConstant(node, 0);
  if (failed(shape))
    return failure();
  bool isInteger = false;
  if (const onnx::AttributeProto *value = node.find("value")) {
    FailureOr<OnnxTensor> tensor =
        decodeTensor(value->t(), [&] { return node.emitError(); });
    if (failed(tensor))
      return failure();
    if (!tensor->isZero())
      return node.emitError() << "is supported for zeros only";
    isInteger = tensor->isInteger;
  }
  if (!isInteger) {
    importer.set(node.getOutput(), ZeroTensor());
    return success();
  }
  // Such lists are pads that are not given.
  if (shape->size() != 1 || !shape->isInteger || shape->integers[0] < 0 ||
      shape->integers[0] > kMaxIntegers)
    return node.emitError() << "of integers is supported for short lists only";
  importer.set(node.getOutput(), OnnxTensor::ofIntegers(SmallVector<int64_t>(
                                     shape->integers[0], 0)));
  return success();
}

LogicalResult mlir::nnet3::convertExpand(OnnxImporter &importer,
                                         const OnnxNode &node) {
  if (!importer.isZeroOrAbsent(node, 0))
    return node.emitError() << "is supported for zeros only";
  importer.set(node.getOutput(), ZeroTensor());
  return success();
}
