//===- InfoWriter.h - Building blocks of info texts -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The building blocks of the output of Kaldi's nnet3-info (spec: nnet3bin.md
// 5).
//
//===----------------------------------------------------------------------===//
#ifndef LIB_TARGET_KALDI_INFO_INFOWRITER_H
#define LIB_TARGET_KALDI_INFO_INFOWRITER_H

#include "nnet3/Dialect/Nnet3/IR/ComponentOps.h"

namespace mlir::nnet3 {

/// The elements of a component's tensor in row-major order.
struct InfoTensor {
  int64_t rows = 0, cols = 0;
  std::vector<float> values;

  bool empty() const { return values.empty(); }
  ArrayRef<float> row(int64_t r) const {
    return ArrayRef<float>(values).slice(r * cols, cols);
  }
};

/// Writes the info text of one component. If no attribute is given, it is the
/// label with `_` for `-`.
class InfoWriter {
public:
  InfoWriter(ComponentOpInterface component, raw_ostream &os, int32_t verbose)
      : component(component), os(os), verbose(verbose) {}

  /// Returns true if all tensors had values; otherwise an error was emitted.
  bool isComplete() const { return complete; }

  //===--------------------------------------------------------------------===//
  // Values
  //===--------------------------------------------------------------------===//

  int64_t getInt(StringRef attribute);
  double getReal(StringRef attribute);
  bool getBool(StringRef attribute);
  StringRef getText(StringRef attribute);
  ArrayRef<int64_t> getList(StringRef attribute);
  ArrayRef<double> getDoubles(StringRef attribute);
  /// Returns an empty tensor if the component does not have it.
  InfoTensor getTensor(StringRef attribute);

  //===--------------------------------------------------------------------===//
  // Text
  //===--------------------------------------------------------------------===//

  raw_ostream &getStream() { return os; }
  /// Writes the name of the type.
  InfoWriter &type();
  /// Writes the type and the dims.
  InfoWriter &dims();
  /// Writes the type, the dims and the fields of all updatable components.
  InfoWriter &updatable();

  /// Writes `, label=value`.
  InfoWriter &field(StringRef label) { return field(label, getName(label)); }
  InfoWriter &field(StringRef label, StringRef attribute);
  InfoWriter &fields(ArrayRef<StringRef> labels);
  /// Like field(), unless the number is `value`.
  InfoWriter &fieldUnless(double value, StringRef label);
  /// Like field(), if the component has the attribute.
  InfoWriter &fieldIfSet(StringRef label);
  InfoWriter &number(StringRef label, double value, int digits = 6);

  /// Writes `, label-rms=`, the root mean square.
  InfoWriter &rms(StringRef label, StringRef attribute);
  InfoWriter &rms(StringRef label, ArrayRef<float> values);
  /// Like rms(), followed by the norms of rows and columns and, if requested,
  /// the singular values.
  InfoWriter &norms(StringRef label, StringRef attribute);
  /// Writes `, label-{mean,stddev}=`.
  InfoWriter &spread(StringRef label, StringRef attribute);
  /// Writes `, label-min=, label-max=`.
  InfoWriter &range(StringRef label, StringRef attribute);
  /// Writes `, label=` with a few numbers, or percentiles of many.
  InfoWriter &vector(StringRef label, ArrayRef<float> values);

private:
  static std::string getName(StringRef label);
  InfoWriter &singularValues(StringRef label, const InfoTensor &tensor);
  /// Returns the attribute, or the default if it is absent.
  Attribute getValue(StringRef attribute);

  ComponentOpInterface component;
  raw_ostream &os;
  int32_t verbose;
  bool complete = true;
};

/// Writes the details of a component; null for a type with only dims.
using DescribeFn = void (*)(InfoWriter &writer);

/// Return the functions for components with weights and with statistics, by
/// Kaldi's name without its suffix.
DescribeFn findWeightInfo(StringRef type);
DescribeFn findStatisticsInfo(StringRef type);
DescribeFn findPlainInfo(StringRef type);

/// Writes the info text of a component or a part of one. Fails after emitting
/// an error if it has no parameters.
LogicalResult writeComponentInfo(ComponentOpInterface component,
                                 raw_ostream &os, int32_t verbose);

} // namespace mlir::nnet3

#endif // LIB_TARGET_KALDI_INFO_INFOWRITER_H
