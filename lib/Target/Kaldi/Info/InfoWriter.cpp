//===- InfoWriter.cpp - Building blocks of info texts ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "InfoWriter.h"
#include "../Model/ComponentFormat.h"
#include "nnet3/Surgery/LinearAlgebra.h"
#include "nnet3/Target/Kaldi/TensorData.h"

#include "llvm/Support/Format.h"
#include <cmath>

using namespace mlir;
using namespace mlir::nnet3;

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

std::string InfoWriter::getName(StringRef label) {
  std::string name = label.str();
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

Attribute InfoWriter::getValue(StringRef attribute) {
  if (Attribute value = component->getAttr(attribute))
    return value;
  const ComponentFormat *format =
      lookupComponentFormat(component.getKaldiType());
  for (const TokenField &field : format->fields)
    if ((field.attribute == attribute || field.second == attribute) &&
        field.unset)
      return field.unset(component, attribute);
  return nullptr;
}

int64_t InfoWriter::getInt(StringRef attribute) {
  auto value = dyn_cast_or_null<IntegerAttr>(getValue(attribute));
  return value ? value.getInt() : 0;
}

double InfoWriter::getReal(StringRef attribute) {
  auto value = dyn_cast_or_null<FloatAttr>(getValue(attribute));
  return value ? value.getValueAsDouble() : getInt(attribute);
}

bool InfoWriter::getBool(StringRef attribute) {
  auto value = dyn_cast_or_null<BoolAttr>(getValue(attribute));
  return value && value.getValue();
}

StringRef InfoWriter::getText(StringRef attribute) {
  auto value = dyn_cast_or_null<StringAttr>(getValue(attribute));
  return value ? value.getValue() : StringRef();
}

ArrayRef<double> InfoWriter::getDoubles(StringRef attribute) {
  auto value = dyn_cast_or_null<DenseF64ArrayAttr>(getValue(attribute));
  return value ? value.asArrayRef() : ArrayRef<double>();
}

ArrayRef<int64_t> InfoWriter::getList(StringRef attribute) {
  auto value = dyn_cast_or_null<DenseI64ArrayAttr>(getValue(attribute));
  return value ? value.asArrayRef() : ArrayRef<int64_t>();
}

InfoTensor InfoWriter::getTensor(StringRef attribute) {
  InfoTensor tensor;
  auto elements = component->getAttrOfType<ElementsAttr>(attribute);
  std::vector<float> storage;
  std::optional<ArrayRef<float>> values;
  if (elements)
    values = getTensorData(elements, storage);
  bool isNeeded =
      llvm::any_of(component.getTensors(), [&](const TensorSpec &spec) {
        return spec.name == attribute && spec.isParameter;
      });
  if (!values) {
    if (elements || isNeeded) {
      complete = false;
      emitError(component.getLoc())
          << "the component has no values of its " << attribute;
    }
    return tensor;
  }
  ArrayRef<int64_t> shape = elements.getShapedType().getShape();
  tensor.rows = shape.size() > 1 ? shape.front() : 1;
  tensor.cols = shape.back();
  tensor.values = values->vec();
  return tensor;
}

//===----------------------------------------------------------------------===//
// Numbers
//===----------------------------------------------------------------------===//

InfoWriter &InfoWriter::type() {
  os << component.getKaldiType();
  return *this;
}

InfoWriter &InfoWriter::dims() {
  type();
  os << ", input-dim=" << component.getComponentInputDim()
     << ", output-dim=" << component.getComponentOutputDim();
  return *this;
}

InfoWriter &InfoWriter::updatable() {
  dims().field("learning-rate");
  if (getBool("is_gradient"))
    field("is-gradient");
  fieldUnless(0, "l2-regularize").fieldUnless(1, "learning-rate-factor");
  return fieldUnless(0, "max-change");
}

InfoWriter &InfoWriter::number(StringRef label, double value, int digits) {
  os << ", " << label << '=' << llvm::format("%.*g", digits, value);
  return *this;
}

InfoWriter &InfoWriter::field(StringRef label, StringRef attribute) {
  Attribute value = getValue(attribute);
  if (isa_and_nonnull<FloatAttr>(value))
    return number(label, getReal(attribute));
  os << ", " << label << '=';
  if (isa_and_nonnull<BoolAttr>(value))
    os << (getBool(attribute) ? "true" : "false");
  else if (isa_and_nonnull<DenseI64ArrayAttr>(value))
    llvm::interleave(getList(attribute), os, ",");
  else
    os << getInt(attribute);
  return *this;
}

InfoWriter &InfoWriter::fields(ArrayRef<StringRef> labels) {
  for (StringRef label : labels)
    field(label);
  return *this;
}

InfoWriter &InfoWriter::fieldUnless(double value, StringRef label) {
  return getReal(getName(label)) == value ? *this : field(label);
}

InfoWriter &InfoWriter::fieldIfSet(StringRef label) {
  return component->hasAttr(getName(label)) ? field(label) : *this;
}

//===----------------------------------------------------------------------===//
// Tensors
//===----------------------------------------------------------------------===//

static double sumSquares(ArrayRef<float> values) {
  double sum = 0;
  for (double value : values)
    sum += value * value;
  return sum;
}

namespace {
struct Spread {
  double mean = 0, stddev = 0;
};
} // namespace

static Spread getSpread(ArrayRef<float> values) {
  double sum = 0;
  for (float value : values)
    sum += value;
  Spread spread;
  spread.mean = sum / values.size();
  spread.stddev = std::sqrt(std::max(0.0, sumSquares(values) / values.size() -
                                              spread.mean * spread.mean));
  return spread;
}

InfoWriter &InfoWriter::rms(StringRef label, ArrayRef<float> values) {
  if (values.empty())
    return *this;
  return number((label + "-rms").str(),
                std::sqrt(sumSquares(values) / values.size()), 4);
}

InfoWriter &InfoWriter::rms(StringRef label, StringRef attribute) {
  return rms(label, getTensor(attribute).values);
}

InfoWriter &InfoWriter::norms(StringRef label, StringRef attribute) {
  InfoTensor tensor = getTensor(attribute);
  if (tensor.empty())
    return *this;
  std::vector<float> rows;
  std::vector<double> sums(tensor.cols);
  for (int64_t r = 0; r < tensor.rows; ++r) {
    rows.push_back(std::sqrt(sumSquares(tensor.row(r))));
    for (auto [sum, value] : llvm::zip(sums, tensor.row(r)))
      sum += double(value) * value;
  }
  std::vector<float> cols;
  for (double sum : sums)
    cols.push_back(std::sqrt(sum));
  rms(label, tensor.values)
      .vector((label + "-row-norms").str(), rows)
      .vector((label + "-col-norms").str(), cols);
  return verbose >= 2 ? singularValues(label, tensor) : *this;
}

InfoWriter &InfoWriter::singularValues(StringRef label,
                                       const InfoTensor &tensor) {
  DoubleMatrix matrix(tensor.rows, tensor.cols);
  llvm::copy(tensor.values, matrix.data.begin());
  FailureOr<SingularValues> values = decompose(matrix);
  // Infinite parameters have no singular values.
  if (failed(values))
    return *this;
  return vector((label + "-singular-values").str(),
                std::vector<float>(values->s.begin(), values->s.end()));
}

InfoWriter &InfoWriter::spread(StringRef label, StringRef attribute) {
  InfoTensor tensor = getTensor(attribute);
  if (tensor.empty())
    return *this;
  Spread spread = getSpread(tensor.values);
  os << ", " << label << "-{mean,stddev}=" << llvm::format("%.4g", spread.mean)
     << ',' << llvm::format("%.4g", spread.stddev);
  return *this;
}

InfoWriter &InfoWriter::range(StringRef label, StringRef attribute) {
  InfoTensor tensor = getTensor(attribute);
  if (tensor.empty())
    return *this;
  auto [least, most] =
      std::minmax_element(tensor.values.begin(), tensor.values.end());
  return number((label + "-min").str(), *least)
      .number((label + "-max").str(), *most);
}

/// Writes a number with about two digits.
static void writeShort(float value, raw_ostream &os) {
  const double size = std::abs(value);
  if (size >= 10 && size < 10000)
    os << llvm::format("%.0f", double(value));
  else if (size >= 0.995)
    os << llvm::format("%.1f", double(value));
  else if (size >= 0.01)
    os << llvm::format("%.2f", double(value));
  else
    os << llvm::format("%.1g", double(value));
}

/// Writes percentiles of many numbers in three groups.
static void writePercentiles(ArrayRef<float> values, raw_ostream &os) {
  static constexpr int percents[] = {0,  1,  2,  5,  10, 20, 50,
                                     80, 90, 95, 98, 99, 100};
  std::vector<float> sorted = values.vec();
  llvm::sort(sorted);
  os << "[percentiles(0,1,2,5 10,20,50,80,90 95,98,99,100)=(";
  for (auto [number, percent] : llvm::enumerate(percents)) {
    if (number > 0)
      os << (percent == 10 || percent == 95 ? " " : ",");
    writeShort(sorted[(sorted.size() - 1) * percent / 100], os);
  }
  Spread spread = getSpread(values);
  os << "), mean=" << llvm::format("%.3g", spread.mean)
     << ", stddev=" << llvm::format("%.3g", spread.stddev) << ']';
}

InfoWriter &InfoWriter::vector(StringRef label, ArrayRef<float> values) {
  os << ", " << label << '=';
  if (values.size() >= 10) {
    writePercentiles(values, os);
    return *this;
  }
  os << "[ ";
  for (float value : values) {
    writeShort(value, os);
    os << ' ';
  }
  os << ']';
  return *this;
}
