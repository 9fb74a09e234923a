//===- ModelValues.cpp - Comparison of models -----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ModelValues.h"
#include "runner/check/Comparison.h"

#include <map>
#include <vector>

namespace nnet3 {
namespace rt {

namespace {

/// Records all numeric attributes, each as one row.
class ValueRecorder : public AttributeWriter {
public:
  void real(const char *name, double value) override {
    values[name].assign(1, value);
  }
  void flag(const char *, bool) override {}
  void vector(const char *name, const double *from, int32_t size) override {
    values[name].assign(from, from + size);
  }
  void doubles(const char *name, const double *from, int32_t size) override {
    vector(name, from, size);
  }
  void parameter(const char *name, ConstMatrixView from, bool) override {
    std::vector<double> &to = values[name];
    to.clear();
    for (int32_t row = 0; row < from.rows; ++row)
      to.insert(to.end(), from.row(row), from.row(row) + from.cols);
  }

  std::map<std::string, std::vector<double>, std::less<>> values;
};

} // namespace

std::string compareModel(const Model &model, const ExpectedList *list,
                         const CasePack &pack) {
  if (!list)
    return {};
  std::map<std::string, ValueRecorder, std::less<>> components;
  for (int32_t i = 0; i < model.numComponents(); ++i)
    model.exportComponent(i, components[std::string(model.componentName(i))]);
  for (const schema::Expected *expected : *list) {
    const std::string name =
        expected->component()->str() + "." + expected->value()->name()->str();
    auto component = components.find(expected->component()->string_view());
    if (component == components.end())
      return name + ": there is no such component";
    const auto &values = component->second.values;
    auto found = values.find(expected->value()->name()->string_view());
    if (found == values.end())
      return name + ": there is no such attribute";
    const std::vector<double> &row = found->second;
    const std::string wrong =
        compare({1, int64_t(row.size()),
                 [&](int64_t, int64_t col) { return row[col]; }},
                *expected, pack);
    if (!wrong.empty())
      return name + ": " + wrong;
  }
  return {};
}

} // namespace rt
} // namespace nnet3
