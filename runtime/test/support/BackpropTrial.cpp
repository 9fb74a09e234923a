//===- BackpropTrial.cpp - Components run forward and backward ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "BackpropTrial.h"
#include "core/ComponentState.h"
#include "core/ProgramData.h"

#include <gtest/gtest.h>

namespace nnet3 {
namespace rt {
namespace test {

namespace {

constexpr int32_t kPad = 3;
constexpr float kAround = 77;

/// Rows 1.. and columns 2.. of a larger matrix.
Matrix pad(const Matrix &matrix) {
  Matrix padded(matrix.rows + kPad, matrix.cols + kPad, kAround);
  for (int32_t r = 0; r < matrix.rows; ++r)
    for (int32_t c = 0; c < matrix.cols; ++c)
      padded.at(r + 1, c + 2) = matrix.at(r, c);
  return padded;
}

/// The inverse; expects that nothing around was written.
Matrix unpad(ConstMatrixView padded) {
  Matrix matrix(padded.rows - kPad, padded.cols - kPad);
  for (int32_t r = 0; r < padded.rows; ++r)
    for (int32_t c = 0; c < padded.cols; ++c) {
      const bool inside =
          r >= 1 && r <= matrix.rows && c >= 2 && c < matrix.cols + 2;
      if (inside)
        matrix.at(r - 1, c - 2) = padded.row(r)[c];
      else
        EXPECT_EQ(padded.row(r)[c], kAround) << "written outside";
    }
  return matrix;
}

/// Writes the program of a trial.
class TrialWriter {
public:
  TrialWriter(const BackpropTrial &trial, const Matrix &input)
      : trial(trial), rows(input.rows), cols(input.cols) {}

  /// \p properties are the component's.
  void write(uint32_t properties);

  ProgramWriter writer;

private:
  void set(int32_t submatrix, float value) {
    CommandData fill{Opcode::SetConst};
    fill.dst = submatrix;
    fill.alpha = value;
    writer.command(fill);
  }
  /// A matrix with padding around the used part.
  int32_t padded(int32_t numRows, int32_t numCols, float value,
                 int32_t &inside);
  void writeForward(uint32_t properties);
  void writeBackward(uint32_t properties);

  const BackpropTrial &trial;
  int32_t rows, cols;
  int32_t component = 0, precomputed = -1;
  int32_t src = 0, dst = 0;
};

int32_t TrialWriter::padded(int32_t numRows, int32_t numCols, float value,
                            int32_t &inside) {
  const int32_t whole = writer.zeroed(numRows + kPad, numCols + kPad);
  inside = writer.part(whole, 1, numRows, 2, numCols);
  set(whole, kAround);
  set(inside, value);
  return whole;
}

void TrialWriter::write(uint32_t properties) {
  component = writer.component("c", trial.type, trial.attrs);
  if (!trial.precomputed.empty())
    precomputed = writer.precomputed(trial.precomputed);
  writeForward(properties);
  writer.command({Opcode::NoOperationMarker});
  writeBackward(properties);
}

void TrialWriter::writeForward(uint32_t properties) {
  const int32_t in = writer.input("input", rows + kPad, cols + kPad);
  src = writer.part(in, 1, rows, 2, cols);
  dst = src;
  int32_t out = in;
  if (!trial.inPlaceForward)
    out = padded(trial.outRows, trial.outCols, 0, dst);
  CommandData propagate{Opcode::Propagate};
  propagate.component = component;
  propagate.precomputed = precomputed;
  propagate.src = src;
  propagate.dst = dst;
  propagate.memo = properties & kUsesMemo ? 5 : -1;
  writer.command(propagate);
  if (trial.storeStats) {
    CommandData stats{Opcode::StoreStats};
    stats.component = component;
    stats.inValue = trial.inPlaceForward ? -1 : src;
    stats.src = dst;
    stats.memo = propagate.memo;
    writer.command(stats);
  }
  // A copy, as the output itself may be spoilt.
  const int32_t copy =
      writer.zeroed(trial.outRows + kPad, trial.outCols + kPad);
  CommandData copyAll{Opcode::MatrixCopy};
  copyAll.dst = copy;
  copyAll.src = out;
  writer.command(copyAll);
  writer.output("output", copy);
}

void TrialWriter::writeBackward(uint32_t properties) {
  const int32_t given =
      writer.input("output", trial.outRows + kPad, trial.outCols + kPad, true);
  CommandData back{Opcode::Backprop};
  back.component = component;
  back.precomputed = precomputed;
  back.memo = properties & kUsesMemo ? 5 : -1;
  back.src = writer.part(given, 1, trial.outRows, 2, trial.outCols);
  back.inValue = properties & kBackpropNeedsInput ? src : -1;
  back.outValue = properties & kBackpropNeedsOutput ? dst : -1;
  if (trial.spoilInput)
    set(src, -3e20f);
  if (trial.spoilOutput)
    set(dst, -3e20f);
  int32_t inDeriv = given;
  if (trial.inPlaceBackward)
    back.dst = back.src;
  else if (trial.wantsInputDeriv)
    inDeriv = padded(rows, cols, trial.initialDeriv, back.dst);
  writer.command(back);
  if (trial.wantsInputDeriv)
    writer.output("input", inDeriv, true);
}

/// Returns the property bits of the component of a trial.
uint32_t propertiesOf(const BackpropTrial &trial) {
  ProgramWriter writer;
  writer.component("c", trial.type, trial.attrs);
  const auto program = load(writer);
  return program ? program->data().components[0]->properties() : 0;
}

/// sum(f(input) . outDeriv) after \p change of the model.
double objective(const BackpropTrial &trial, const Matrix &input,
                 const Matrix &outDeriv,
                 const std::function<void(Model &)> &change) {
  BackpropTrial changed = trial;
  changed.storeStats = false;
  changed.prepare = [&](Model &model, Model &gradient) {
    if (trial.prepare)
      trial.prepare(model, gradient);
    change(model);
  };
  const BackpropResult result = backprop(changed, input, outDeriv);
  double sum = 0;
  for (size_t i = 0; i < result.output.values.size(); ++i)
    sum += double(result.output.values[i]) * outDeriv.values[i];
  return sum;
}

/// Collects numbers.
class NumberWriter : public AttributeWriter {
public:
  void real(const char *name, double value) override {
    text += std::string(name) + "=" + std::to_string(int64_t(value)) + " ";
  }
  void flag(const char *, bool) override {}
  void vector(const char *, const double *, int32_t) override {}
  void doubles(const char *, const double *, int32_t) override {}
  void parameter(const char *, ConstMatrixView, bool) override {}

  std::string text;
};

} // namespace

BackpropResult backprop(const BackpropTrial &trial, const Matrix &input,
                        const Matrix &outDeriv) {
  TrialWriter trialWriter(trial, input);
  trialWriter.write(propertiesOf(trial));
  BackpropResult result;
  result.program = load(trialWriter.writer);
  if (!result.program)
    return result;
  result.model = std::move(*Model::create(result.program));
  result.gradient = std::move(*Model::create(result.program));
  result.gradient->setZero();
  result.gradient->setAsGradient();
  if (trial.prepare)
    trial.prepare(*result.model, *result.gradient);
  InstanceOptions options;
  options.seed = trial.seed;
  options.model = trial.hasModel ? result.model.get() : nullptr;
  options.gradient = trial.hasGradient ? result.gradient.get() : nullptr;
  auto instance = std::move(*Instance::create(result.program, options));
  const Matrix in = pad(input), out = pad(outDeriv);
  EXPECT_TRUE(instance->setInput("input", in.view()).ok());
  EXPECT_TRUE(instance->run().ok());
  EXPECT_TRUE(instance->setInput("output", out.view()).ok());
  EXPECT_TRUE(instance->run().ok());
  result.output = unpad(*instance->output("output"));
  if (trial.wantsInputDeriv)
    result.inDeriv = unpad(*instance->output("input"));
  return result;
}

Matrix numericInDeriv(const BackpropTrial &trial, const Matrix &input,
                      const Matrix &outDeriv, float delta) {
  Matrix result(input.rows, input.cols);
  for (size_t i = 0; i < input.values.size(); ++i) {
    Matrix up = input, down = input;
    up.values[i] += delta;
    down.values[i] -= delta;
    const double width = double(up.values[i]) - down.values[i];
    result.values[i] =
        static_cast<float>((objective(trial, up, outDeriv, [](Model &) {}) -
                            objective(trial, down, outDeriv, [](Model &) {})) /
                           width);
  }
  return result;
}

Matrix numericGradient(const BackpropTrial &trial, int32_t index,
                       const Matrix &input, const Matrix &outDeriv,
                       float delta) {
  const BackpropResult plain = backprop(trial, input, outDeriv);
  Matrix result = parameterOf(*plain.model, index);
  for (size_t i = 0; i < result.values.size(); ++i) {
    auto moved = [&](float by) {
      return objective(trial, input, outDeriv, [&](Model &model) {
        model.state(0).parameters[index].data[i] += by;
      });
    };
    result.values[i] =
        static_cast<float>((moved(delta) - moved(-delta)) / (2 * delta));
  }
  return result;
}

BackpropTrial trialOf(const std::string &type, Attrs attrs,
                      const Matrix &input) {
  BackpropTrial trial;
  trial.type = type;
  trial.attrs = std::move(attrs);
  trial.outRows = input.rows;
  trial.outCols = input.cols;
  return trial;
}

Matrix inDerivBothWays(const BackpropTrial &trial, const Matrix &input,
                       const Matrix &outDeriv) {
  const Matrix apart = backprop(trial, input, outDeriv).inDeriv;
  BackpropTrial other = trial;
  other.hasModel = other.hasGradient = false;
  EXPECT_EQ(backprop(other, input, outDeriv).inDeriv.values, apart.values);
  other.inPlaceBackward = true;
  EXPECT_EQ(backprop(other, input, outDeriv).inDeriv.values, apart.values);
  return apart;
}

std::string exportedNumbers(const Model &model) {
  NumberWriter writer;
  model.exportComponent(0, writer);
  return writer.text;
}

Matrix parameterOf(const Model &model, int32_t index) {
  const MatrixView &from = model.state(0).parameters[index];
  Matrix matrix(from.rows, from.cols);
  std::copy_n(from.data, matrix.values.size(), matrix.values.begin());
  return matrix;
}

} // namespace test
} // namespace rt
} // namespace nnet3
