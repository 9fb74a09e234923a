//===- InfoWriter.h - Pieces of the texts about components ------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The building blocks of what Kaldi's nnet3-info prints (spec: nnet3bin.md 5).
//
//===----------------------------------------------------------------------===//
#ifndef LIB_TARGET_KALDI_INFO_INFOWRITER_H
#define LIB_TARGET_KALDI_INFO_INFOWRITER_H

#include "nnet3/Dialect/Nnet3/IR/ComponentOps.h"

namespace mlir::nnet3 {

/// The elements of a tensor of a component, row by row.
struct InfoTensor {
  int64_t rows = 0, cols = 0;
  std::vector<float> values;

  bool empty() const { return values.empty(); }
  ArrayRef<float> row(int64_t r) const {
    return ArrayRef<float>(values).slice(r * cols, cols);
  }
};

/// Writes about one component. Labels are the names of attributes with `-` for
/// `_`, where no attribute is given.
class InfoWriter {
public:
  InfoWriter(ComponentOpInterface component, raw_ostream &os, int32_t verbose)
      : component(component), os(os), verbose(verbose) {}

  /// Whether all tensors had values; the error was emitted.
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
  /// Empty if the component does not have it.
  InfoTensor getTensor(StringRef attribute);

  //===--------------------------------------------------------------------===//
  // Text
  //===--------------------------------------------------------------------===//

  raw_ostream &getStream() { return os; }
  /// The name of the type.
  InfoWriter &type();
  /// The same and the dims.
  InfoWriter &dims();
  /// The same and what all updatable components have.
  InfoWriter &updatable();

  /// `, label=value`.
  InfoWriter &field(StringRef label) { return field(label, getName(label)); }
  InfoWriter &field(StringRef label, StringRef attribute);
  InfoWriter &fields(ArrayRef<StringRef> labels);
  /// The same unless the number is `value`.
  InfoWriter &fieldUnless(double value, StringRef label);
  /// The same if the component has the attribute.
  InfoWriter &fieldIfSet(StringRef label);
  InfoWriter &number(StringRef label, double value, int digits = 6);

  /// `, label-rms=`: the root mean square.
  InfoWriter &rms(StringRef label, StringRef attribute);
  InfoWriter &rms(StringRef label, ArrayRef<float> values);
  /// The same, and the norms of rows and columns; if that is asked for, the
  /// singular values, too.
  InfoWriter &norms(StringRef label, StringRef attribute);
  /// `, label-{mean,stddev}=`.
  InfoWriter &spread(StringRef label, StringRef attribute);
  /// `, label-min=, label-max=`.
  InfoWriter &range(StringRef label, StringRef attribute);
  /// `, label=`: a few numbers, or what percentiles they have.
  InfoWriter &vector(StringRef label, ArrayRef<float> values);

private:
  static std::string getName(StringRef label);
  InfoWriter &singularValues(StringRef label, const InfoTensor &tensor);
  /// The attribute, or what its absence means.
  Attribute getValue(StringRef attribute);

  ComponentOpInterface component;
  raw_ostream &os;
  int32_t verbose;
  bool complete = true;
};

/// Writes what the component is; null for a type without more than its dims.
using DescribeFn = void (*)(InfoWriter &writer);

/// The functions of components with weights, and of those that keep statistics,
/// by Kaldi's name without its suffix.
DescribeFn findWeightInfo(StringRef type);
DescribeFn findStatisticsInfo(StringRef type);
DescribeFn findPlainInfo(StringRef type);

/// Writes the text about a component or a part of one. Fails after emitting an
/// error if it has no parameters.
LogicalResult writeComponentInfo(ComponentOpInterface component,
                                 raw_ostream &os, int32_t verbose);

} // namespace mlir::nnet3

#endif // LIB_TARGET_KALDI_INFO_INFOWRITER_H
