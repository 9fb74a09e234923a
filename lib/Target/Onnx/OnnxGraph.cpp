//===- OnnxGraph.cpp - Nodes and constants of an ONNX graph ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "OnnxGraph.h"

#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::nnet3;

std::string OnnxGraph::add(StringRef kind, ArrayRef<std::string> inputs) {
  onnx::NodeProto *node = graph.add_node();
  const std::string name = (kind + "_" + Twine(numNames++)).str();
  node->set_name(name);
  node->set_op_type(kind.str());
  for (const std::string &input : inputs)
    node->add_input(input);
  node->add_output(name);
  return name;
}

void OnnxGraph::setAttribute(StringRef name, int64_t value) {
  onnx::AttributeProto *attribute =
      graph.mutable_node(graph.node_size() - 1)->add_attribute();
  attribute->set_name(name.str());
  attribute->set_type(onnx::AttributeProto::INT);
  attribute->set_i(value);
}

void OnnxGraph::setAttribute(StringRef name, ArrayRef<int64_t> values) {
  onnx::AttributeProto *attribute =
      graph.mutable_node(graph.node_size() - 1)->add_attribute();
  attribute->set_name(name.str());
  attribute->set_type(onnx::AttributeProto::INTS);
  attribute->mutable_ints()->Add(values.begin(), values.end());
}

void OnnxGraph::rename(StringRef output) {
  graph.mutable_node(graph.node_size() - 1)->set_output(0, output.str());
}

int32_t OnnxGraph::getElementType(Type type) {
  return llvm::TypeSwitch<Type, int32_t>(type)
      .Case([](Float32Type) { return onnx::TensorProto::FLOAT; })
      .Case([](Float64Type) { return onnx::TensorProto::DOUBLE; })
      .Case([](IntegerType integer) {
        switch (integer.getWidth()) {
        case 1:
          return onnx::TensorProto::BOOL;
        case 32:
          return onnx::TensorProto::INT32;
        case 64:
          return onnx::TensorProto::INT64;
        default:
          return onnx::TensorProto::UNDEFINED;
        }
      })
      .Default([](Type) { return onnx::TensorProto::UNDEFINED; });
}

std::string OnnxGraph::getIntegers(ArrayRef<int64_t> values) {
  auto [it, inserted] = integers.try_emplace(values.vec());
  if (inserted) {
    onnx::TensorProto *tensor = graph.add_initializer();
    it->second = ("integers_" + Twine(numNames++)).str();
    tensor->set_name(it->second);
    tensor->set_data_type(onnx::TensorProto::INT64);
    tensor->add_dims(values.size());
    tensor->set_raw_data(values.data(), values.size() * sizeof(int64_t));
  }
  return it->second;
}

template <typename T>
static void setData(onnx::TensorProto &tensor, DenseElementsAttr value,
                    bool isSplat) {
  SmallVector<T> data;
  if (isSplat)
    data.push_back(value.getSplatValue<T>());
  else
    llvm::append_range(data, value.getValues<T>());
  tensor.set_raw_data(data.data(), data.size() * sizeof(T));
}

/// An empty shape makes a scalar from a splat.
std::string OnnxGraph::addConstant(DenseElementsAttr value,
                                   ArrayRef<int64_t> shape) {
  const int32_t type = getElementType(value.getElementType());
  const bool isSplat = shape.empty() && value.isSplat();
  onnx::TensorProto tensor;
  switch (type) {
  case onnx::TensorProto::FLOAT:
    setData<float>(tensor, value, isSplat);
    break;
  case onnx::TensorProto::DOUBLE:
    setData<double>(tensor, value, isSplat);
    break;
  case onnx::TensorProto::INT32:
    setData<int32_t>(tensor, value, isSplat);
    break;
  case onnx::TensorProto::INT64:
    setData<int64_t>(tensor, value, isSplat);
    break;
  case onnx::TensorProto::BOOL:
    setData<bool>(tensor, value, isSplat);
    break;
  default:
    return "";
  }
  const std::string name = ("constant_" + Twine(numNames++)).str();
  tensor.set_name(name);
  tensor.set_data_type(type);
  tensor.mutable_dims()->Add(shape.begin(), shape.end());
  *graph.add_initializer() = std::move(tensor);
  return name;
}
