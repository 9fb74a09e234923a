//===- AttributeData.cpp - Attributes for tests ---------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "AttributeData.h"
#include "nnet3/runtime/Container.h"

#include <cstring>

namespace nnet3 {
namespace rt {
namespace test {

TensorData tensor(const Matrix &matrix) {
  return {{uint64_t(matrix.rows), uint64_t(matrix.cols)}, matrix.values};
}

TensorData vectorTensor(const std::vector<float> &values) {
  return {{values.size()}, values};
}

AttributeList writeAttributes(flatbuffers::FlatBufferBuilder &builder,
                              const Attrs &attrs,
                              std::vector<uint8_t> &weights) {
  AttributeList list;
  for (const Attr &attr : attrs) {
    schema::Value type = schema::Value::NONE;
    flatbuffers::Offset<void> value;
    if (const auto *number = std::get_if<int64_t>(&attr.value)) {
      type = schema::Value::IntValue;
      value = schema::CreateIntValue(builder, *number).Union();
    } else if (const auto *real = std::get_if<double>(&attr.value)) {
      type = schema::Value::DoubleValue;
      value = schema::CreateDoubleValue(builder, *real).Union();
    } else if (const auto *flag = std::get_if<bool>(&attr.value)) {
      type = schema::Value::BoolValue;
      value = schema::CreateBoolValue(builder, *flag).Union();
    } else if (const auto *text = std::get_if<std::string>(&attr.value)) {
      type = schema::Value::StringValue;
      value = schema::CreateStringValueDirect(builder, text->c_str()).Union();
    } else if (const auto *ints =
                   std::get_if<std::vector<int64_t>>(&attr.value)) {
      type = schema::Value::IntsValue;
      value = schema::CreateIntsValueDirect(builder, ints).Union();
    } else if (const auto *data = std::get_if<TensorData>(&attr.value)) {
      const uint64_t offset = alignContainerOffset(weights.size());
      weights.resize(offset + data->values.size() * sizeof(float));
      std::memcpy(weights.data() + offset, data->values.data(),
                  data->values.size() * sizeof(float));
      type = schema::Value::Tensor;
      value = schema::CreateTensorDirect(builder, &data->shape, offset).Union();
    }
    list.push_back(
        schema::CreateAttributeDirect(builder, attr.name.c_str(), type, value));
  }
  return list;
}

std::vector<int32_t> listCode(const std::vector<int32_t> &values) {
  std::vector<int32_t> code;
  for (int32_t value : values)
    if (value == -1)
      code.push_back(1);
    else
      code.insert(code.end(), {0, value});
  return code;
}

} // namespace test
} // namespace rt
} // namespace nnet3
