//===- ConvertMatMul.cpp - MatMul and Gemm --------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "AffineNodes.h"

using namespace mlir;
using namespace mlir::nnet3;
using Kind = Axis::Kind;

/// Adds a component that multiplies the columns, the last axis of `input`, by
/// `matrix` (inputs x outputs); `tensor` gets its rows.
static LogicalResult multiply(OnnxImporter &importer, const OnnxNode &node,
                              const RowTensor &input, const OnnxTensor &matrix,
                              ArrayRef<float> bias, StringRef tensor) {
  if (matrix.isInteger || matrix.shape.size() != 2 || matrix.size() == 0)
    return node.emitError() << "expects a matrix";
  const int64_t rank = input.axes.size();
  if (rank == 0 || input.axes.find(Kind::Columns) != size_t(rank - 1) ||
      input.dim != matrix.shape[0])
    return node.emitError()
           << "expects " << matrix.shape[0] << " columns as the last dimension";
  RowTensor output = input;
  output.dim = output.axes[rank - 1].size = matrix.shape[1];
  FailureOr<Descriptor> rows =
      addAffine(importer, node, transpose(matrix, {1, 0}).reals,
                matrix.shape[0], matrix.shape[1], bias, input.rows);
  if (failed(rows))
    return failure();
  output.rows = std::move(*rows);
  importer.set(tensor, std::move(output));
  return success();
}

namespace {
/// An addition of a bias that is the only reader of a MatMul's output.
struct BiasAddition {
  std::vector<float> bias;
  const onnx::NodeProto *node;
};
} // namespace

static std::optional<BiasAddition>
findBias(OnnxImporter &importer, const OnnxNode &node, int64_t outputDim) {
  ArrayRef<OnnxReader> readers = importer.getReaders(node.getOutput());
  if (readers.size() != 1 || !readers[0].node ||
      readers[0].node->op_type() != "Add" ||
      readers[0].node->output_size() != 1)
    return std::nullopt;
  OnnxNode addition(*readers[0].node, importer.getLoc(*readers[0].node));
  const size_t other = 1 - readers[0].input;
  ScopedDiagnosticHandler quiet(importer.getContext(),
                                [](Diagnostic &) { return success(); });
  FailureOr<OnnxTensor> bias = importer.getConstant(addition, other);
  if (failed(bias) || bias->isInteger || bias->size() != outputDim ||
      (!bias->shape.empty() && bias->shape.back() != outputDim))
    return std::nullopt;
  return BiasAddition{std::move(bias->reals), readers[0].node};
}

LogicalResult mlir::nnet3::convertMatMul(OnnxImporter &importer,
                                         const OnnxNode &node) {
  FailureOr<RowTensor> input = importer.getRows(node);
  if (failed(input))
    return failure();
  FailureOr<OnnxTensor> matrix = importer.getConstant(node, 1);
  if (failed(matrix))
    return failure();
  const int64_t outputDim = matrix->shape.size() == 2 ? matrix->shape[1] : 0;
  if (auto addition = findBias(importer, node, outputDim)) {
    importer.skip(*addition->node);
    return multiply(importer, node, *input, *matrix, addition->bias,
                    addition->node->output(0));
  }
  return multiply(importer, node, *input, *matrix, {}, node.getOutput());
}

/// Multiplies all `values` by `factor`.
static void scale(std::vector<float> &values, double factor) {
  for (float &value : values)
    value *= factor;
}

LogicalResult mlir::nnet3::convertGemm(OnnxImporter &importer,
                                       const OnnxNode &node) {
  FailureOr<RowTensor> input = importer.getRows(node);
  if (failed(input))
    return failure();
  FailureOr<OnnxTensor> matrix = importer.getConstant(node, 1);
  if (failed(matrix))
    return failure();
  if (node.getInt("transA", 0) != 0)
    return node.emitError() << "transA is not supported";
  if (node.getInt("transB", 0) != 0 && matrix->shape.size() == 2)
    *matrix = transpose(*matrix, {1, 0});
  const int64_t outputDim = matrix->shape.size() == 2 ? matrix->shape[1] : 0;
  FailureOr<std::vector<float>> bias = getBias(importer, node, 2, outputDim);
  if (failed(bias))
    return failure();
  scale(matrix->reals, node.getFloat("alpha", 1));
  scale(*bias, node.getFloat("beta", 1));
  return multiply(importer, node, *input, *matrix, *bias, node.getOutput());
}
