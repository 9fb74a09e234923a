//===- OnnxTensor.cpp - Constants of ONNX models --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "OnnxTensor.h"

#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/Support/MathExtras.h"
#include <cstring>

using namespace mlir;
using namespace mlir::nnet3;

OnnxTensor OnnxTensor::ofIntegers(ArrayRef<int64_t> values) {
  OnnxTensor tensor;
  tensor.shape = {int64_t(values.size())};
  tensor.isInteger = true;
  tensor.integers = values.vec();
  return tensor;
}

OnnxTensor OnnxTensor::ofInteger(int64_t value) {
  OnnxTensor tensor = ofIntegers(value);
  tensor.shape.clear();
  return tensor;
}

bool OnnxTensor::isZero() const {
  return isInteger ? llvm::all_of(integers, [](int64_t i) { return i == 0; })
                   : llvm::all_of(reals, [](float x) { return x == 0; });
}

/// Returns the number that the bits encode.
static float convertBits(uint16_t bits, const llvm::fltSemantics &semantics) {
  llvm::APFloat value(semantics, llvm::APInt(16, bits));
  bool losesInfo;
  value.convert(llvm::APFloat::IEEEsingle(), llvm::APFloat::rmNearestTiesToEven,
                &losesInfo);
  return value.convertToFloat();
}

namespace {
/// Decodes the elements of a tensor from `raw_data` or from the field for their
/// type.
class TensorDecoder {
public:
  TensorDecoder(const onnx::TensorProto &tensor, int64_t count,
                OnnxTensor &result)
      : tensor(tensor), count(count), result(result) {}

  /// Returns false if the number of elements is wrong.
  template <typename T, typename Field, typename Convert>
  bool takeReals(const Field &field, Convert convert) {
    return take<T>(field, result.reals, convert);
  }
  template <typename T, typename Field> bool takeIntegers(const Field &field) {
    result.isInteger = true;
    return take<T>(field, result.integers, [](T value) { return value; });
  }

private:
  template <typename T, typename Field, typename Element, typename Convert>
  bool take(const Field &field, std::vector<Element> &elements,
            Convert convert) {
    if (!tensor.has_raw_data()) {
      if (int64_t(field.size()) != count)
        return false;
      for (auto value : field)
        elements.push_back(convert(T(value)));
      return true;
    }
    const std::string &bytes = tensor.raw_data();
    if (bytes.size() != size_t(count) * sizeof(T))
      return false;
    elements.reserve(count);
    for (int64_t i = 0; i < count; ++i) {
      T value;
      std::memcpy(&value, bytes.data() + i * sizeof(T), sizeof(T));
      elements.push_back(convert(value));
    }
    return true;
  }

  const onnx::TensorProto &tensor;
  int64_t count;
  OnnxTensor &result;
};
} // namespace

/// Returns the number of elements; none if it exceeds 31 bits.
static std::optional<int64_t> countElements(const onnx::TensorProto &tensor) {
  int64_t count = 1;
  for (int64_t size : tensor.dims())
    if (size < 0 || llvm::MulOverflow(count, size, count) || count > INT32_MAX)
      return std::nullopt;
  return count;
}

FailureOr<OnnxTensor>
mlir::nnet3::decodeTensor(const onnx::TensorProto &tensor,
                          function_ref<InFlightDiagnostic()> emitError) {
  using Proto = onnx::TensorProto;
  if (tensor.data_location() == Proto::EXTERNAL || tensor.external_data_size())
    return emitError() << "tensor '" << tensor.name()
                       << "' is kept in another file, which is not supported";
  std::optional<int64_t> count = countElements(tensor);
  if (!count)
    return emitError() << "tensor '" << tensor.name()
                       << "' has a shape that is not supported";
  OnnxTensor result;
  result.shape.append(tensor.dims().begin(), tensor.dims().end());
  TensorDecoder decoder(tensor, *count, result);
  auto keep = [](auto value) { return float(value); };
  bool fits = false;
  switch (tensor.data_type()) {
  case Proto::FLOAT:
    fits = decoder.takeReals<float>(tensor.float_data(), keep);
    break;
  case Proto::DOUBLE:
    fits = decoder.takeReals<double>(tensor.double_data(), keep);
    break;
  case Proto::FLOAT16:
    fits = decoder.takeReals<uint16_t>(tensor.int32_data(), [](uint16_t bits) {
      return convertBits(bits, llvm::APFloat::IEEEhalf());
    });
    break;
  case Proto::BFLOAT16:
    fits = decoder.takeReals<uint16_t>(tensor.int32_data(), [](uint16_t bits) {
      return convertBits(bits, llvm::APFloat::BFloat());
    });
    break;
  case Proto::INT64:
    fits = decoder.takeIntegers<int64_t>(tensor.int64_data());
    break;
  case Proto::INT32:
    fits = decoder.takeIntegers<int32_t>(tensor.int32_data());
    break;
  case Proto::BOOL:
  case Proto::UINT8:
    fits = decoder.takeIntegers<uint8_t>(tensor.int32_data());
    break;
  default:
    return emitError() << "tensor '" << tensor.name() << "' has element type "
                       << tensor.data_type() << ", which is not supported";
  }
  if (!fits)
    return emitError() << "tensor '" << tensor.name() << "' should have "
                       << *count << " elements, but has another number of them";
  return result;
}

OnnxTensor mlir::nnet3::transpose(const OnnxTensor &tensor,
                                  ArrayRef<int64_t> permutation) {
  const size_t rank = tensor.shape.size();
  OnnxTensor result;
  result.isInteger = tensor.isInteger;
  SmallVector<int64_t> strides(rank, 1), steps;
  for (size_t i = rank; i-- > 1;)
    strides[i - 1] = strides[i] * tensor.shape[i];
  for (int64_t dim : permutation) {
    result.shape.push_back(tensor.shape[dim]);
    steps.push_back(strides[dim]);
  }
  SmallVector<int64_t> position(rank, 0);
  int64_t source = 0;
  for (int64_t i = 0, end = tensor.size(); i < end; ++i) {
    if (tensor.isInteger)
      result.integers.push_back(tensor.integers[source]);
    else
      result.reals.push_back(tensor.reals[source]);
    for (size_t dim = rank; dim-- > 0;) {
      source += steps[dim];
      if (++position[dim] < result.shape[dim])
        break;
      source -= position[dim] * steps[dim];
      position[dim] = 0;
    }
  }
  return result;
}

OnnxTensor mlir::nnet3::slice(const OnnxTensor &tensor, size_t dim,
                              int64_t begin, int64_t end, int64_t step) {
  OnnxTensor result;
  result.isInteger = tensor.isInteger;
  result.shape = tensor.shape;
  SmallVector<int64_t> kept;
  for (int64_t i = begin; step > 0 ? i < end : i > end; i += step)
    kept.push_back(i);
  result.shape[dim] = kept.size();
  ArrayRef<int64_t> shape = tensor.shape;
  const int64_t inner = ShapedType::getNumElements(shape.drop_front(dim + 1));
  const int64_t outer = ShapedType::getNumElements(shape.take_front(dim));
  for (int64_t o = 0; o < outer; ++o)
    for (int64_t i : kept) {
      const int64_t first = (o * shape[dim] + i) * inner;
      if (tensor.isInteger)
        llvm::append_range(result.integers,
                           ArrayRef(tensor.integers).slice(first, inner));
      else
        llvm::append_range(result.reals,
                           ArrayRef(tensor.reals).slice(first, inner));
    }
  return result;
}
