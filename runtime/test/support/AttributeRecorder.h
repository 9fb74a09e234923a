//===- AttributeRecorder.h - Exported attributes of a model -----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_RUNTIME_TEST_SUPPORT_ATTRIBUTERECORDER_H
#define NNET3_RUNTIME_TEST_SUPPORT_ATTRIBUTERECORDER_H

#include "nnet3/runtime/Model.h"

#include <map>
#include <string>
#include <vector>

namespace nnet3 {
namespace rt {
namespace test {

/// Records the attributes of Model::exportComponent(); numbers as vectors of
/// one element.
class AttributeRecorder : public AttributeWriter {
public:
  /// Records the only component of \p model.
  explicit AttributeRecorder(const Model &model) {
    model.exportComponent(0, *this);
  }

  void real(const char *name, double value) override { values[name] = {value}; }
  void flag(const char *name, bool value) override {
    values[name] = {double(value)};
  }
  void vector(const char *name, const double *data, int32_t size) override {
    values[name].assign(data, data + size);
  }
  void doubles(const char *name, const double *data, int32_t size) override {
    vector(name, data, size);
  }
  void parameter(const char *name, ConstMatrixView matrix, bool) override {
    std::vector<double> &all = values[name];
    for (int32_t r = 0; r < matrix.rows; ++r)
      all.insert(all.end(), matrix.row(r), matrix.row(r) + matrix.cols);
  }

  std::map<std::string, std::vector<double>> values;
};

} // namespace test
} // namespace rt
} // namespace nnet3

#endif // NNET3_RUNTIME_TEST_SUPPORT_ATTRIBUTERECORDER_H
