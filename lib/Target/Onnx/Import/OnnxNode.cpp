//===- OnnxNode.cpp - A node of an ONNX graph -----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "OnnxNode.h"

using namespace mlir;
using namespace mlir::nnet3;

StringRef OnnxNode::getName(const onnx::NodeProto &proto) {
  if (!proto.name().empty() || proto.output_size() == 0)
    return proto.name();
  return proto.output(0);
}

const onnx::AttributeProto *OnnxNode::find(StringRef attribute) const {
  for (const onnx::AttributeProto &candidate : proto.attribute())
    if (StringRef(candidate.name()) == attribute)
      return &candidate;
  return nullptr;
}

int64_t OnnxNode::getInt(StringRef attribute, int64_t otherwise) const {
  const onnx::AttributeProto *found = find(attribute);
  return found ? found->i() : otherwise;
}

double OnnxNode::getFloat(StringRef attribute, double otherwise) const {
  const onnx::AttributeProto *found = find(attribute);
  return found ? found->f() : otherwise;
}

StringRef OnnxNode::getString(StringRef attribute, StringRef otherwise) const {
  const onnx::AttributeProto *found = find(attribute);
  return found ? StringRef(found->s()) : otherwise;
}

std::optional<SmallVector<int64_t>>
OnnxNode::getInts(StringRef attribute) const {
  const onnx::AttributeProto *found = find(attribute);
  if (!found)
    return std::nullopt;
  return SmallVector<int64_t>(found->ints().begin(), found->ints().end());
}
