//===- LoaderTest.cpp - Errors of loading ---------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "test/support/ProgramWriter.h"

#include <cmath>
#include <functional>
#include <gtest/gtest.h>

using namespace nnet3::rt;
using namespace nnet3::rt::test;

namespace {

/// A correct program: tanh of a 4 x 3 input, with parts to misuse.
struct Sample {
  Sample() {
    tanh = writer.component("tanh", "TanhComponent", {{"dim", 3}});
    in = writer.input("input", 4, 3);
    out = writer.zeroed(4, 3);
    writer.propagate(tanh, in, out);
  }
  std::string error() {
    writer.output("output", out);
    return loadError(writer);
  }
  CommandData &add(Opcode opcode, int32_t dst, int32_t src,
                   int32_t table = -1) {
    CommandData data{opcode};
    data.dst = dst;
    data.src = src;
    data.table = table;
    writer.command(data);
    return writer.commands.back();
  }
  ProgramWriter writer;
  int32_t tanh, in, out;
};

/// Expects that loading the program that \p change made wrong fails with a
/// message that contains \p text.
void expectError(const std::string &text,
                 const std::function<void(Sample &)> &change) {
  Sample sample;
  change(sample);
  const std::string error = sample.error();
  EXPECT_NE(error.find(text), std::string::npos)
      << "got '" << error << "', expected '" << text << "'";
}

TEST(LoaderTest, AcceptsTheSample) { EXPECT_EQ(Sample().error(), ""); }

TEST(LoaderTest, Existence) {
  expectError("command 3 (matrix_add): expects a source that exists, but "
              "matrix 2 does not",
              [](Sample &s) {
                s.add(Opcode::MatrixAdd, s.out, s.writer.matrix(4, 3));
              });
  expectError("matrix 1 exists already",
              [](Sample &s) { s.add(Opcode::AllocMatrixZeroed, s.out, -1); });
  expectError("expects a source that exists", [](Sample &s) {
    s.add(Opcode::DeallocMatrix, s.in, -1);
    s.add(Opcode::MatrixAdd, s.out, s.in);
  });
  expectError("expects a whole matrix", [](Sample &s) {
    s.add(Opcode::DeallocMatrix, s.writer.part(s.in, 0, 2, 0, 3), -1);
  });
  expectError("among 2 submatrices, but got 99",
              [](Sample &s) { s.add(Opcode::MatrixAdd, s.out, 99); });
}

TEST(LoaderTest, OutputsStay) {
  Sample sample;
  sample.writer.output("output", sample.out);
  sample.add(Opcode::DeallocMatrix, sample.out, -1);
  EXPECT_NE(loadError(sample.writer).find("has been provided as an output"),
            std::string::npos);
}

TEST(LoaderTest, Dims) {
  expectError("expects equal dims", [](Sample &s) {
    s.add(Opcode::MatrixAdd, s.out, s.writer.part(s.in, 0, 2, 0, 3));
  });
  expectError("expects 3 columns of the source, but got 2", [](Sample &s) {
    s.writer.propagate(s.tanh, s.writer.part(s.in, 0, 4, 0, 2), s.out);
  });
  expectError(
      "expects as many input as output rows, but got 2 and 4", [](Sample &s) {
        s.writer.propagate(s.tanh, s.writer.part(s.in, 0, 2, 0, 3), s.out);
      });
  expectError("submatrix 2 is outside of its matrix",
              [](Sample &s) { s.writer.part(s.in, 2, 3, 0, 3); });
  expectError("matrix 2 has dims 0x3",
              [](Sample &s) { s.writer.matrix(0, 3); });
  expectError("expects a finite alpha", [](Sample &s) {
    s.add(Opcode::MatrixAdd, s.out, s.in).alpha = INFINITY;
  });
}

TEST(LoaderTest, Aliasing) {
  expectError("source and destination overlap", [](Sample &s) {
    s.add(Opcode::MatrixAdd, s.writer.part(s.in, 0, 2, 0, 3),
          s.writer.part(s.in, 1, 2, 0, 3));
  });
  expectError("source and destination overlap", [](Sample &s) {
    s.writer.propagate(s.tanh, s.writer.part(s.in, 0, 2, 0, 3),
                       s.writer.part(s.in, 1, 2, 0, 3));
  });
  expectError("does not run in place", [](Sample &s) {
    s.writer.propagate(
        s.writer.component("p", "LogSoftmaxComponent", {{"dim", 3}}), s.in,
        s.in);
  });
  expectError("reads a row that it writes", [](Sample &s) {
    s.add(Opcode::CopyRows, s.writer.part(s.in, 1, 2, 0, 3), s.in,
          s.writer.rowTable({0, 1}));
  });
  expectError("reads a row that it writes", [](Sample &s) {
    s.add(Opcode::AddRowsMulti, s.writer.part(s.in, 1, 2, 0, 3), -1,
          s.writer.multiTable({s.in, -1}, {2, -1}));
  });
  // Other rows of the same matrix are fine.
  Sample sample;
  sample.add(Opcode::CopyRows, sample.writer.part(sample.in, 1, 2, 0, 3),
             sample.in, sample.writer.rowTable({0, 3}));
  EXPECT_EQ(sample.error(), "");
}

TEST(LoaderTest, Tables) {
  expectError("there is no row table 5",
              [](Sample &s) { s.add(Opcode::CopyRows, s.out, s.in, 5); });
  expectError("expects a table of 4 entries, but got 2", [](Sample &s) {
    s.add(Opcode::CopyRows, s.out, s.in, s.writer.rowTable({0, 1}));
  });
  expectError("the table refers to row 4 of 4", [](Sample &s) {
    s.add(Opcode::CopyRows, s.out, s.in, s.writer.rowTable({0, 4, -1, 2}));
  });
  expectError("row table 0 has a row -2", [](Sample &s) {
    s.add(Opcode::CopyRows, s.out, s.in, s.writer.rowTable({0, -2, 1, 2}));
  });
  expectError("refers to row 4 of submatrix 0, which does not exist",
              [](Sample &s) {
                s.add(Opcode::CopyRowsMulti, s.out, -1,
                      s.writer.multiTable({0, -1, -1, -1}, {4, -1, -1, -1}));
              });
  expectError("expects a table of 4 entries, but got 2", [](Sample &s) {
    s.add(Opcode::CopyRowsMulti, s.out, -1,
          s.writer.multiTable({s.in, -1, -1, -1}, {1, -1}));
  });
  expectError("expects distinct rows as targets", [](Sample &s) {
    s.add(Opcode::CopyToRowsMulti, -1, s.in,
          s.writer.multiTable({s.out, s.out, -1, -1}, {1, 1, -1, -1}));
  });
  expectError("the table refers to row 4 of 4", [](Sample &s) {
    s.add(Opcode::AddRowRanges, s.out, s.in,
          s.writer.rangeTable({0, 0, 0, 0}, {5, 1, 1, 1}));
  });
  expectError("has a range from 2 to 1", [](Sample &s) {
    s.add(Opcode::AddRowRanges, s.out, s.in,
          s.writer.rangeTable({2, 0, 0, 0}, {1, 1, 1, 1}));
  });
  expectError("range table 0 has a step of 0", [](Sample &s) {
    s.add(Opcode::AddRowRanges, s.out, s.in,
          s.writer.rangeTable({0, 0, 0, 0}, {1, 1, 1, 1}, 0));
  });
}

TEST(LoaderTest, Io) {
  expectError("no command accepts input 'more'", [](Sample &s) {
    s.writer.inputs.push_back({"more", 1, 1, false, {}, {}, {}});
  });
  expectError("input 'input' is there twice",
              [](Sample &s) { s.writer.input("input", 1, 1); });
  expectError("expects a matrix of 5x3, but got 4x3",
              [](Sample &s) { s.writer.inputs[0].rows = 5; });
  expectError("index lists that do not fit", [](Sample &s) {
    s.writer.inputs[0].n = {0, 0};
    s.writer.inputs[0].t = {0, 1};
  });
}

TEST(LoaderTest, IndexesAreTold) {
  Sample sample;
  sample.writer.inputs[0].n = {0, 0, 1, 1};
  sample.writer.inputs[0].t = {5, 6, 5, 6};
  sample.writer.output("output", sample.out);
  auto program = load(sample.writer);
  ASSERT_TRUE(program);
  ASSERT_EQ(program->inputs().size(), 1u);
  const IoInfo &io = program->inputs()[0];
  EXPECT_EQ(io.name, "input");
  EXPECT_EQ(io.rows, 4);
  EXPECT_EQ(io.cols, 3);
  EXPECT_EQ(io.n[2], 1);
  EXPECT_EQ(io.t[3], 6);
  EXPECT_EQ(io.x, nullptr);
}

TEST(LoaderTest, Components) {
  expectError("component 'c' of type FooComponent is of a type that this "
              "runtime does not have",
              [](Sample &s) { s.writer.component("c", "FooComponent", {}); });
  expectError("component 'c' of type AffineComponent has no attribute "
              "'bias_params'",
              [](Sample &s) {
                s.writer.component("c", "AffineComponent",
                                   {{"input_dim", 2},
                                    {"output_dim", 3},
                                    {"linear_params", tensor(Matrix(3, 2))}});
              });
  expectError("expects attribute 'params' of shape 3x2, but got 2x3",
              [](Sample &s) {
                s.writer.component("c", "LinearComponent",
                                   {{"input_dim", 2},
                                    {"output_dim", 3},
                                    {"params", tensor(Matrix(2, 3))}});
              });
  expectError("expects attribute 'dim' of at least 1", [](Sample &s) {
    s.writer.component("c", "TanhComponent", {{"dim", 0}});
  });
  expectError("expects attribute 'dim' to be an integer", [](Sample &s) {
    s.writer.component("c", "TanhComponent", {{"dim", 2.5}});
  });
  expectError("expects a permutation", [](Sample &s) {
    s.writer.component("c", "PermuteComponent",
                       {{"column_map", std::vector<int64_t>{0, 2, 2}}});
  });
  expectError("has 2147483647 input and 2147483648 output columns",
              [](Sample &s) {
                s.writer.component(
                    "c", "NormalizeComponent",
                    {{"input_dim", INT32_MAX}, {"add_log_stddev", true}});
              });
  expectError("has no attribute 'stats_mean'", [](Sample &s) {
    s.writer.component("c", "BatchNormComponent",
                       {{"dim", 3}, {"test_mode", true}, {"count", 5.0}});
  });
  expectError("simple components take no precomputed indexes", [](Sample &s) {
    s.writer.propagate(s.tanh, s.in, s.out,
                       s.writer.precomputed({{"row_stride", 1}}));
  });
}

/// Every type with parameters, without them: the error names the attribute.
TEST(LoaderTest, MissingParameters) {
  const std::pair<const char *, const char *> cases[] = {
      {"AffineComponent", "linear_params"},
      {"NaturalGradientAffineComponent", "linear_params"},
      {"FixedAffineComponent", "linear_params"},
      {"LinearComponent", "params"},
      {"TdnnComponent", "linear_params"},
      {"FixedScaleComponent", "scales"},
      {"FixedBiasComponent", "bias"},
      {"PerElementScaleComponent", "scales"},
      {"NaturalGradientPerElementScaleComponent", "scales"},
      {"PerElementOffsetComponent", "offsets"},
      {"ScaleAndOffsetComponent", "scales"},
      {"LstmNonlinearityComponent", "params"}};
  for (const auto &[type, attribute] : cases)
    expectError(std::string("component 'c' of type ") + type +
                    " has no attribute '" + attribute + "'",
                [&, type = type](Sample &s) {
                  s.writer.component(
                      "c", type,
                      {{"input_dim", 3},
                       {"output_dim", 3},
                       {"dim", 3},
                       {"cell_dim", 3},
                       {"time_offsets", std::vector<int64_t>{0}}});
                });
}

TEST(LoaderTest, TensorsOutsideOfTheWeights) {
  Sample sample;
  sample.writer.component("c", "FixedScaleComponent",
                          {{"dim", 3}, {"scales", vectorTensor({1, 2, 3})}});
  sample.writer.output("output", sample.out);
  const std::vector<uint8_t> program = sample.writer.finish();
  alignas(64) float weights[3] = {1, 2, 3};
  LoadOptions options;
  options.weights = weights;
  options.weightsSize = sizeof(weights);
  EXPECT_TRUE(Program::load(program.data(), program.size(), options).ok());
  options.weightsSize = sizeof(weights) - 1;
  auto loaded = Program::load(program.data(), program.size(), options);
  ASSERT_FALSE(loaded.ok());
  EXPECT_EQ(loaded.status().message(),
            "component 'c' of type FixedScaleComponent has attribute 'scales' "
            "outside of the weights: offset 0 in 11 bytes");
}

TEST(LoaderTest, ArenaLimit) {
  ProgramWriter writer;
  const int32_t a = writer.zeroed(1 << 20, 1 << 20);
  writer.output("output", a);
  EXPECT_NE(loadError(writer).find("which is more than the 17179869184 bytes"),
            std::string::npos);
  ProgramWriter huge;
  huge.output("output", huge.zeroed(INT32_MAX, INT32_MAX));
  EXPECT_NE(loadError(huge).find("which is more than"), std::string::npos);
}

TEST(LoaderTest, MemoryIsReused) {
  // A chain in which two matrices exist at a time.
  ProgramWriter writer;
  const int32_t tanh = writer.component("t", "TanhComponent", {{"dim", 16}});
  int32_t last = writer.input("input", 100, 16);
  for (int i = 0; i < 20; ++i) {
    const int32_t next = writer.zeroed(100, 16);
    writer.propagate(tanh, last, next);
    CommandData dealloc{Opcode::DeallocMatrix};
    dealloc.dst = last;
    writer.command(dealloc);
    last = next;
  }
  writer.output("output", last);
  auto program = load(writer);
  ASSERT_TRUE(program);
  EXPECT_EQ(program->arenaBytes(), 2u * 100 * 16 * sizeof(float));
}

TEST(InstanceTest, InputsAreChecked) {
  Sample sample;
  sample.writer.output("output", sample.out);
  auto program = load(sample.writer);
  auto instance = Instance::create(program);
  ASSERT_TRUE(instance.ok());
  const Matrix right(4, 3), wrong(3, 3);
  EXPECT_EQ((*instance)->run().message(),
            "input 'input' has not been supplied");
  EXPECT_EQ((*instance)->setInput("foo", right.view()).message(),
            "the program has no input 'foo'");
  EXPECT_EQ((*instance)->setInput("input", wrong.view()).message(),
            "input 'input' expects a matrix of 4x3, but got 3x3");
  EXPECT_EQ((*instance)->output("output").status().message(),
            "output 'output' is there after a run only");
  ASSERT_TRUE((*instance)->setInput("input", right.view()).ok());
  ASSERT_TRUE((*instance)->run().ok());
  EXPECT_EQ((*instance)->run().statusCode(), NNET3RT_NOT_READY)
      << "inputs serve one run";
}

} // namespace
