//===- BackwardTest.cpp - Programs with a backward pass -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "test/support/BackpropTrial.h"

#include <gtest/gtest.h>

#include <functional>

namespace nnet3 {
namespace rt {
namespace test {
namespace {

/// y = tanh(x), with the derivative of x.
struct TanhProgram {
  TanhProgram() {
    component = writer.component("tanh", "TanhComponent", {{"dim", 3}});
    in = writer.input("input", 4, 3);
    out = writer.zeroed(4, 3);
    writer.propagate(component, in, out);
    writer.output("output", out);
    writer.command({Opcode::NoOperationMarker});
    outDeriv = writer.input("output", 4, 3, true);
    inDeriv = writer.zeroed(4, 3);
  }

  CommandData backprop() const {
    CommandData data{Opcode::Backprop};
    data.component = component;
    data.src = outDeriv;
    data.dst = inDeriv;
    data.outValue = out;
    return data;
  }

  ProgramWriter writer;
  int32_t component, in, out, outDeriv, inDeriv;
};

void expectError(
    const std::string &text,
    const std::function<void(TanhProgram &, CommandData &)> &change) {
  TanhProgram program;
  CommandData data = program.backprop();
  change(program, data);
  program.writer.command(data);
  const std::string error = loadError(program.writer);
  EXPECT_NE(error.find(text), std::string::npos)
      << "got '" << error << "', expected '" << text << "'";
}

TEST(BackwardTest, ChecksBackprop) {
  using P = TanhProgram;
  expectError("needs the output value",
              [](P &, CommandData &d) { d.outValue = -1; });
  expectError("there is no component 7",
              [](P &, CommandData &d) { d.component = 7; });
  expectError("the component leaves no memo",
              [](P &, CommandData &d) { d.memo = 1; });
  expectError("does not run backward in place",
              [](P &, CommandData &d) { d.dst = d.src; });
  expectError("overlaps a value",
              [](P &, CommandData &d) { d.dst = d.outValue; });
  expectError("expects 3 columns of the input derivative, but got 2",
              [](P &p, CommandData &d) {
                d.dst = p.writer.part(p.inDeriv, 0, 4, 0, 2);
              });
  expectError("expects as many input as output rows, but got 3 and 4",
              [](P &p, CommandData &d) {
                d.dst = p.writer.part(p.inDeriv, 0, 3, 0, 3);
              });
  expectError("expects an output and its derivative of equal rows",
              [](P &p, CommandData &d) {
                d.outValue = p.writer.part(p.out, 0, 3, 0, 3);
              });
}

TEST(BackwardTest, ChecksMemos) {
  const Attrs attrs = {{"dim", 3}};
  auto error = [&](int32_t left, int32_t taken, int32_t times) {
    TanhProgram p;
    const int32_t norm = p.writer.component("bn", "BatchNormComponent", attrs);
    CommandData forward{Opcode::Propagate};
    forward.component = norm;
    forward.src = p.in;
    forward.dst = p.out;
    forward.memo = left;
    p.writer.command(forward);
    CommandData data = p.backprop();
    data.component = norm;
    data.memo = taken;
    for (int32_t i = 0; i < times; ++i)
      p.writer.command(data);
    return loadError(p.writer);
  };
  EXPECT_EQ(error(2, 2, 1), "");
  EXPECT_NE(error(2, 3, 1).find("there is no memo 3"), std::string::npos);
  EXPECT_NE(error(2, -1, 1).find("there is no memo -1"), std::string::npos);
  EXPECT_NE(error(2, 2, 2).find("there is no memo 2"), std::string::npos);
}

TEST(BackwardTest, PartsRunInTurn) {
  TanhProgram program;
  program.writer.command(program.backprop());
  program.writer.output("input", program.inDeriv, true);
  auto loaded = load(program.writer);
  ASSERT_TRUE(loaded);
  auto instance = std::move(*Instance::create(loaded));
  const Matrix x = randomMatrix(4, 3, 1), dy = randomMatrix(4, 3, 2);
  for (int round = 0; round < 2; ++round) {
    EXPECT_EQ(instance->run().statusCode(), NNET3RT_NOT_READY);
    ASSERT_TRUE(instance->setInput("input", x.view()).ok());
    ASSERT_TRUE(instance->run().ok());
    EXPECT_TRUE(instance->output("output").ok());
    EXPECT_FALSE(instance->output("input").ok());
    // The backward part asks for what the forward part did not.
    EXPECT_EQ(instance->run().statusCode(), NNET3RT_NOT_READY);
    ASSERT_TRUE(instance->setInput("output", dy.view()).ok());
    ASSERT_TRUE(instance->run().ok());
    EXPECT_TRUE(instance->output("output").ok());
    EXPECT_TRUE(instance->output("input").ok());
  }
  ASSERT_TRUE(instance->setInput("input", x.view()).ok());
  ASSERT_TRUE(instance->run().ok());
  instance->restart();
  EXPECT_FALSE(instance->output("output").ok());
  EXPECT_EQ(instance->run().statusCode(), NNET3RT_NOT_READY);
}

TEST(BackwardTest, ModelsMustFit) {
  TanhProgram program, other;
  other.writer.component("more", "TanhComponent", {{"dim", 3}});
  auto model = std::move(*Model::create(load(other.writer)));
  InstanceOptions options;
  options.model = model.get();
  auto instance = Instance::create(load(program.writer), options);
  ASSERT_FALSE(instance.ok());
  EXPECT_EQ(instance.status().message(),
            "the model has 2 components, but the program has 1");
}

TEST(BackwardTest, ModelsMustHaveTheDims) {
  TanhProgram program;
  ProgramWriter other;
  other.component("tanh", "TanhComponent", {{"dim", 4}});
  auto model = std::move(*Model::create(load(other)));
  EXPECT_EQ(model->checkProgram(*load(program.writer)).message(),
            "component 'tanh' of the model differs from the program's");
}

TEST(BackwardTest, ModelsAreLimited) {
  ProgramWriter writer;
  writer.component("tanh", "TanhComponent", {{"dim", 2147483647}});
  const auto model = Model::create(load(writer));
  ASSERT_FALSE(model.ok());
  EXPECT_NE(model.status().message().find("bytes for statistics, but at most"),
            std::string::npos)
      << model.status().message();
}

TEST(BackwardTest, TanhMatchesDifferences) {
  BackpropTrial trial;
  trial.type = "TanhComponent";
  trial.attrs = {{"dim", 5}};
  trial.outRows = 4;
  trial.outCols = 5;
  const Matrix x = randomMatrix(4, 5, 3), dy = randomMatrix(4, 5, 4);
  const BackpropResult result = backprop(trial, x, dy);
  const Matrix expected = numericInDeriv(trial, x, dy);
  expectNear(result.inDeriv, {expected.values.begin(), expected.values.end()},
             1e-3);
}

} // namespace
} // namespace test
} // namespace rt
} // namespace nnet3
