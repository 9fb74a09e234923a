//===- AffineNodes.cpp - Affine maps of ONNX as components ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "AffineNodes.h"

using namespace mlir;
using namespace mlir::nnet3;

FailureOr<Descriptor>
mlir::nnet3::addAffine(OnnxImporter &importer, const OnnxNode &node,
                       ArrayRef<float> matrix, int64_t inputDim,
                       int64_t outputDim, ArrayRef<float> bias,
                       const Descriptor &input) {
  NetworkBuilder &builder = importer.getBuilder();
  const std::string name = importer.makeName(node);
  const SmallVector<int64_t, 2> shape = {outputDim, inputDim};
  SmallVector<NamedAttribute> attributes = {
      builder.getInt("input_dim", inputDim),
      builder.getInt("output_dim", outputDim)};
  if (bias.empty()) {
    attributes.push_back(
        builder.getTensor(name + ".linear", "params", shape, matrix));
    return builder.addNode(node.getLoc(), name + ".linear", "linear",
                           attributes, input);
  }
  attributes.push_back(
      builder.getTensor(name + ".affine", "linear_params", shape, matrix));
  attributes.push_back(
      builder.getTensor(name + ".affine", "bias_params", outputDim, bias));
  return builder.addNode(node.getLoc(), name + ".affine", "affine", attributes,
                         input);
}

FailureOr<std::vector<float>> mlir::nnet3::getBias(OnnxImporter &importer,
                                                   const OnnxNode &node,
                                                   size_t input, int64_t dim) {
  if (node.getInput(input).empty())
    return std::vector<float>();
  FailureOr<OnnxTensor> bias = importer.getConstant(node, input);
  if (failed(bias))
    return failure();
  if (bias->isInteger || bias->size() != dim)
    return node.emitError() << "expects a bias of " << dim << " elements";
  return std::move(bias->reals);
}
