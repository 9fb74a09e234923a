//===- AttributeData.h - Attributes for tests -------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_RUNTIME_TEST_SUPPORT_ATTRIBUTEDATA_H
#define NNET3_RUNTIME_TEST_SUPPORT_ATTRIBUTEDATA_H

#include "TestMatrix.h"
#include "nnet3/runtime/program_generated.h"

#include <cstdint>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace nnet3 {
namespace rt {
namespace test {

/// A float tensor for the weights.
struct TensorData {
  std::vector<uint64_t> shape;
  std::vector<float> values;
};

TensorData tensor(const Matrix &matrix);
TensorData vectorTensor(const std::vector<float> &values);

/// An attribute of a component.
struct Attr {
  std::string name;
  std::variant<int64_t, double, bool, std::string, std::vector<int64_t>,
               TensorData>
      value;

  Attr(std::string name, int value)
      : name(std::move(name)), value(int64_t(value)) {}
  Attr(std::string name, double value) : name(std::move(name)), value(value) {}
  Attr(std::string name, bool value) : name(std::move(name)), value(value) {}
  Attr(std::string name, std::string value)
      : name(std::move(name)), value(std::move(value)) {}
  Attr(std::string name, std::vector<int64_t> value)
      : name(std::move(name)), value(std::move(value)) {}
  Attr(std::string name, TensorData value)
      : name(std::move(name)), value(std::move(value)) {}
};
using Attrs = std::vector<Attr>;

using AttributeList = std::vector<flatbuffers::Offset<schema::Attribute>>;

/// Writes \p attrs; tensors are appended to \p weights.
AttributeList writeAttributes(flatbuffers::FlatBufferBuilder &builder,
                              const Attrs &attrs,
                              std::vector<uint8_t> &weights);

/// \p values as the code of a list (core/LoopedList.h), without loops.
std::vector<int32_t> listCode(const std::vector<int32_t> &values);

} // namespace test
} // namespace rt
} // namespace nnet3

#endif // NNET3_RUNTIME_TEST_SUPPORT_ATTRIBUTEDATA_H
