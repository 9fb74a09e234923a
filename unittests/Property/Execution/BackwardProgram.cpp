//===- BackwardProgram.cpp - Derivatives computed by the runtime ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "BackwardProgram.h"

#include "nnet3/Dialect/Nnet3/IR/ComponentParts.h"

#include "gtest/gtest.h"

#include <cmath>

using namespace mlir::nnet3;
using namespace mlir::nnet3::property;
namespace rt = ::nnet3::rt;

static Vector toVector(rt::ConstMatrixView view) {
  Vector values;
  for (int32_t row = 0; row < view.rows; ++row)
    values.insert(values.end(), view.row(row), view.row(row) + view.cols);
  return values;
}

namespace {
/// Reads the parameters of a component: the attributes of its op, without
/// statistics.
class ParameterReader : public rt::AttributeWriter {
public:
  explicit ParameterReader(mlir::Operation *op) : op(op) {}

  void real(const char *, double) override {}
  void flag(const char *, bool) override {}
  void vector(const char *, const double *, int32_t) override {}
  void doubles(const char *, const double *, int32_t) override {}
  void parameter(const char *fullName, rt::ConstMatrixView values,
                 bool) override {
    llvm::StringRef name = fullName;
    if (findPart(llvm::cast<ComponentOpInterface>(op), name)->hasAttr(name))
      parameters[fullName] = toVector(values);
  }

  mlir::Operation *op;
  Tensors parameters;
};

/// Reads the whole state of a component.
class StateReader : public rt::AttributeWriter {
public:
  void real(const char *name, double value) override { state[name] = {value}; }
  void flag(const char *name, bool value) override {
    state[name] = {double(value)};
  }
  void vector(const char *name, const double *values, int32_t size) override {
    state[name] = Vector(values, values + size);
  }
  void doubles(const char *name, const double *values, int32_t size) override {
    vector(name, values, size);
  }
  void parameter(const char *name, rt::ConstMatrixView values, bool) override {
    state[name] = toVector(values);
  }

  Tensors state;
};
} // namespace

std::map<std::string, Tensors>
mlir::nnet3::property::readParameters(const Case &test,
                                      const rt::Model &model) {
  std::map<std::string, Tensors> result;
  for (int32_t i = 0; i < model.numComponents(); ++i) {
    if (!model.isUpdatable(i))
      continue;
    std::string name(model.componentName(i));
    ParameterReader reader(test.getNetworkOp().lookupSymbol(name));
    model.exportComponent(i, reader);
    result[name] = std::move(reader.parameters);
  }
  return result;
}

std::map<std::string, Tensors>
mlir::nnet3::property::readState(const rt::Model &model) {
  std::map<std::string, Tensors> result;
  for (int32_t i = 0; i < model.numComponents(); ++i) {
    StateReader reader;
    model.exportComponent(i, reader);
    result[std::string(model.componentName(i))] = std::move(reader.state);
  }
  return result;
}

rt::Result<std::unique_ptr<BackwardProgram>>
BackwardProgram::create(const Case &test, ComputationOp computation,
                        bool poison) {
  auto program = load(test, computation);
  if (!program.ok())
    return program.status();
  auto model = rt::Model::create(*program);
  if (!model.ok())
    return model.status();
  auto gradient = rt::Model::create(*program);
  if (!gradient.ok())
    return gradient.status();
  std::unique_ptr<BackwardProgram> result(new BackwardProgram(test));
  result->model = std::move(*model);
  result->gradient = std::move(*gradient);
  rt::InstanceOptions options;
  options.poison = poison;
  options.model = result->model.get();
  options.gradient = result->gradient.get();
  auto instance = rt::Instance::create(*program, options);
  if (!instance.ok())
    return instance.status();
  result->instance = std::move(*instance);
  return result;
}

rt::Result<Derivatives> BackwardProgram::run(const RandomRequest &request) {
  gradient->setZero();
  gradient->setAsGradient();
  for (const auto *list : {&request.inputs, &request.outputs}) {
    bool isBackward = list == &request.outputs;
    if (isBackward &&
        llvm::none_of(*list, [](auto &io) { return io.hasDeriv; }))
      break;
    rt::Status status = setInputs(*instance, *list);
    if (status.ok())
      status = instance->run();
    if (!status.ok())
      return status;
  }
  Derivatives result;
  for (const rt::IoInfo &info : instance->program().outputs()) {
    auto view = instance->output(info.name);
    if (!view.ok())
      return view.status();
    std::string name(info.name);
    Tensors &tensors = info.isDerivative ? result.of[name] : result.outputs;
    tensors[info.isDerivative ? kValue : name] = toVector(*view);
  }
  result.of.merge(readParameters(test, *gradient));
  return result;
}

std::map<std::string, Tensors> BackwardProgram::getParameters() const {
  return readParameters(test, *model);
}

std::string mlir::nnet3::property::compareTensors(const std::string &what,
                                                  const Tensors &actual,
                                                  const Tensors &expected,
                                                  double tolerance) {
  if (actual.size() != expected.size())
    return what + ": not as many\n";
  for (const auto &[name, values] : expected) {
    auto it = actual.find(name);
    if (it == actual.end() || it->second.size() != values.size())
      return what + " " + name + ": missing, or of another size\n";
    double size = 1;
    for (double value : values)
      size = std::max(size, std::abs(value));
    for (size_t i = 0; i < values.size(); ++i)
      // Not-a-number is never right.
      if (!(std::abs(it->second[i] - values[i]) <= tolerance * size))
        return what + " " + name + ", element " + std::to_string(i) + ": " +
               std::to_string(it->second[i]) + " instead of " +
               std::to_string(values[i]) + ", difference " +
               toText(float(it->second[i] - values[i])) + "\n";
  }
  return "";
}

Derivatives mlir::nnet3::property::runPoisoned(const Case &test,
                                               ComputationOp computation) {
  auto program = BackwardProgram::create(test, computation, /*poison=*/true);
  EXPECT_TRUE(program.ok()) << program.status().message();
  if (!program.ok())
    return {};
  auto derivatives = (*program)->run(test.getRequest());
  EXPECT_TRUE(derivatives.ok()) << derivatives.status().message();
  return derivatives.ok() ? std::move(*derivatives) : Derivatives();
}
