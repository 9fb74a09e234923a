//===- InitialTensors.cpp - Initial values of tensors ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Components.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace mlir::nnet3;
using namespace mlir::nnet3::detail;

double mlir::nnet3::detail::getInitNumber(DictionaryAttr init, StringRef key,
                                          double fallback) {
  if (!init)
    return fallback;
  if (auto number = init.getAs<FloatAttr>(key))
    return number.getValueAsDouble();
  return fallback;
}

/// Reads a vector of `dim` values from a file.
static LogicalResult readVector(Operation *op, StringRef file, StringRef name,
                                int64_t dim,
                                ParameterInitializer &initializer) {
  int64_t rows, cols;
  FailureOr<std::vector<float>> values =
      initializer.readMatrix(op, file, rows, cols);
  if (failed(values))
    return failure();
  if (rows != 1 || cols != dim)
    return op->emitOpError("expects a vector of dim ")
           << dim << " in '" << file << "', but got " << rows << "x" << cols;
  initializer.setTensor(op, name, {dim}, *values);
  return success();
}

/// Reads a matrix from a file. If `biasName` is not empty, the file has one
/// more column, the bias.
static LogicalResult readMatrix(Operation *op, StringRef file,
                                const TensorSpec &linear, StringRef biasName,
                                ParameterInitializer &initializer) {
  int64_t out = linear.shape[0], in = linear.shape[1];
  int64_t rows, cols;
  FailureOr<std::vector<float>> values =
      initializer.readMatrix(op, file, rows, cols);
  if (failed(values))
    return failure();
  int64_t expectedCols = in + (biasName.empty() ? 0 : 1);
  if (rows != out || cols != expectedCols)
    return op->emitOpError("expects a ")
           << out << "x" << expectedCols << " matrix in '" << file
           << "', but got " << rows << "x" << cols;
  std::vector<float> weights, bias;
  for (int64_t r = 0; r < rows; ++r) {
    auto row = values->begin() + r * cols;
    weights.insert(weights.end(), row, row + in);
    if (!biasName.empty())
      bias.push_back(row[in]);
  }
  initializer.setTensor(op, linear.name, {out, in}, weights);
  if (!biasName.empty())
    initializer.setTensor(op, biasName, {out}, bias);
  return success();
}

LogicalResult mlir::nnet3::detail::initializeTensors(
    ComponentOpInterface op, StringRef fileKey, ArrayRef<InitialTensor> initial,
    ParameterInitializer &initializer) {
  SmallVector<TensorSpec> tensors = op.getTensors();
  const bool isDrawn = llvm::any_of(tensors, [&](const TensorSpec &tensor) {
    return tensor.isParameter && !op->hasAttr(tensor.name);
  });
  auto init = op->getAttrOfType<DictionaryAttr>("init");
  auto file = init ? init.getAs<StringAttr>(fileKey) : StringAttr();
  if (isDrawn && file && !file.empty()) {
    const TensorSpec &first = tensors.front();
    if (first.shape.size() == 1)
      return readVector(op, file, first.name, first.shape[0], initializer);
    return readMatrix(op, file, first,
                      tensors.size() > 1 ? tensors[1].name : "", initializer);
  }
  for (const TensorSpec &tensor : tensors) {
    const InitialTensor *values =
        llvm::find_if(initial, [&](const InitialTensor &row) {
          return row.name == tensor.name;
        });
    if (values == initial.end())
      continue;
    // If the parameters are given, only fixed values of missing tensors are
    // set.
    if (!isDrawn && (values->values.empty() || op->hasAttr(tensor.name)))
      continue;
    std::vector<float> floats(values->values.begin(), values->values.end());
    if (floats.empty())
      initializer.setNormal(op, tensor.name, tensor.shape, values->mean,
                            values->stddev);
    else
      initializer.setTensor(op, tensor.name, tensor.shape, floats);
  }
  return success();
}
