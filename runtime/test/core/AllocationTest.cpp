//===- AllocationTest.cpp - A run allocates nothing -----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/runtime/Model.h"
#include "test/support/CountAllocations.h"
#include "test/support/ProgramWriter.h"

#include <cstddef>
#include <gtest/gtest.h>

using namespace nnet3::rt;
using namespace nnet3::rt::test;

namespace {

/// Runs all of \p writer's program, which has an input "input" and may have a
/// derivative "output", with models if it has.
void expectNoAllocations(ProgramWriter &writer) {
  const auto program = load(writer);
  ASSERT_TRUE(program);
  const auto model = std::move(*Model::create(program));
  const auto gradient = std::move(*Model::create(program));
  InstanceOptions options;
  options.model = model.get();
  options.gradient = gradient.get();
  const auto instance = std::move(*Instance::create(program, options));
  std::vector<Matrix> inputs;
  for (const IoInfo &io : program->inputs())
    inputs.push_back(randomMatrix(io.rows, io.cols, 3));
  // In the first round BLAS sets up its own buffers, and preconditioners
  // theirs.
  for (bool counted : {false, true}) {
    for (size_t i = 0; i < inputs.size(); ++i) {
      ASSERT_TRUE(
          instance->setInput(program->inputs()[i].name, inputs[i].view()).ok());
      Status status;
      const int count = countAllocations([&] { status = instance->run(); });
      ASSERT_TRUE(status.ok());
      if (counted)
        EXPECT_EQ(count, 0);
    }
  }
}

TEST(AllocationTest, TheCounterCounts) {
  char *volatile observed = nullptr;
  EXPECT_EQ(countAllocations([&] { observed = new char[1000]; }), 1);
  delete[] observed;
}

TEST(AllocationTest, RunAllocatesNothing) {
  ProgramWriter writer;
  const int32_t affine = writer.component(
      "a", "NaturalGradientAffineComponent",
      {{"input_dim", 40},
       {"output_dim", 64},
       {"linear_params", tensor(randomMatrix(64, 40, 1))},
       {"bias_params", vectorTensor(randomMatrix(1, 64, 2).values)}});
  const int32_t norm =
      writer.component("b", "BatchNormComponent", {{"dim", 64}});
  const int32_t drop =
      writer.component("g", "GeneralDropoutComponent", {{"dim", 64}});
  const int32_t softmax =
      writer.component("l", "LogSoftmaxComponent", {{"dim", 64}});
  const int32_t in = writer.input("input", 50, 40);
  const int32_t h = writer.zeroed(50, 64), out = writer.zeroed(50, 64);
  writer.propagate(affine, in, h);
  writer.propagate(norm, h, h);
  writer.propagate(
      drop, h, h,
      writer.precomputed(
          {{"num_mask_rows", 1}, {"indexes", std::vector<int64_t>(50, 0)}}));
  writer.propagate(softmax, h, out);
  writer.output("output", out);
  expectNoAllocations(writer);
}

/// A component of a chain that runs forward and backward.
struct Link {
  const char *type;
  Attrs attrs;
  Attrs precomputed;
  bool usesMemo = false;
  bool storesStats = false;
  int32_t inDim = 64; ///< other links have 64 columns
};

/// A program of these components, 50 rows of 64 columns.
void writeChain(ProgramWriter &writer, const std::vector<Link> &links) {
  const int32_t rows = 50, dim = 64;
  std::vector<CommandData> backward;
  int32_t value = writer.input("input", rows, links[0].inDim);
  for (const Link &link : links) {
    const auto id = static_cast<int32_t>(backward.size());
    CommandData command{Opcode::Propagate};
    command.component =
        writer.component("c" + std::to_string(id), link.type, link.attrs);
    if (!link.precomputed.empty())
      command.precomputed = writer.precomputed(link.precomputed);
    command.memo = link.usesMemo ? id : -1;
    command.src = value;
    command.dst = writer.zeroed(rows, dim);
    writer.command(command);
    command.inValue = value;
    command.outValue = value = command.dst;
    if (link.storesStats) {
      command.opcode = Opcode::StoreStats;
      command.src = value;
      writer.command(command);
    }
    command.opcode = Opcode::Backprop;
    backward.push_back(command);
  }
  writer.output("output", value);
  writer.command({Opcode::NoOperationMarker});
  int32_t deriv = writer.input("output", rows, dim, true);
  for (auto command = backward.rbegin(); command != backward.rend();
       ++command) {
    command->src = deriv;
    const bool isFirst = command + 1 == backward.rend();
    command->dst = deriv = writer.zeroed(rows, isFirst ? links[0].inDim : dim);
    writer.command(*command);
  }
  writer.output("input", deriv, true);
}

TEST(AllocationTest, BackwardRunAllocatesNothing) {
  const Attr dim = {"dim", 64};
  const Attr scales = {"scales", vectorTensor(randomMatrix(1, 64, 4).values)};
  const Attr offsets = {"offsets", vectorTensor(randomMatrix(1, 64, 5).values)};
  std::vector<int64_t> rows;
  for (int64_t r = 0; r < 50; ++r)
    rows.push_back(r);
  ProgramWriter writer;
  writeChain(
      writer,
      {{"DropoutComponent", {dim, {"dropout_proportion", 0.5}}, {}},
       {"GeneralDropoutComponent",
        {dim},
        {{"num_mask_rows", 1}, {"indexes", std::vector<int64_t>(50, 0)}},
        /*usesMemo=*/true},
       {"SpecAugmentTimeMaskComponent",
        {dim},
        {{"rows", rows}, {"lengths", std::vector<int64_t>{50}}},
        /*usesMemo=*/true},
       {"ClipGradientComponent", {dim, {"norm_based_clipping", true}}, {}},
       {"BackpropTruncationComponent",
        {dim},
        {{"first_time", 0}, {"times", std::vector<int64_t>(50, 0)}}},
       {"NaturalGradientPerElementScaleComponent", {dim, scales}, {}},
       {"PerElementOffsetComponent", {dim, offsets}, {}},
       {"ScaleAndOffsetComponent", {dim, scales, offsets}, {}}});
  expectNoAllocations(writer);
}

TEST(AllocationTest, NonlinearitiesAllocateNothing) {
  const Attr dim = {"dim", 64}, repairs = {"self_repair_scale", 0.05};
  const Attrs nonlinear = {dim, repairs};
  ProgramWriter writer;
  writeChain(writer,
             {{"LstmNonlinearityComponent",
               {{"cell_dim", 32}, {"params", tensor(randomMatrix(3, 32, 1))}},
               {},
               /*usesMemo=*/false,
               /*storesStats=*/false,
               /*inDim=*/160},
              {"RectifiedLinearComponent", nonlinear, {}, false, true},
              {"SigmoidComponent", nonlinear, {}, false, true},
              {"TanhComponent", nonlinear, {}, false, true},
              {"BatchNormComponent", {dim}, {}, true, true},
              {"NormalizeComponent", {{"input_dim", 64}}, {}},
              {"SoftmaxComponent", {dim}, {}, false, true},
              {"LogSoftmaxComponent", {dim}, {}, false, true}});
  expectNoAllocations(writer);
}

/// Uses matmuls above 10^6 operations, because OpenBLAS itself allocates in
/// some smaller ones.
TEST(AllocationTest, AffineUpdateAllocatesNothing) {
  constexpr int32_t kRows = 240, kIn = 2600, kOut = 200;
  ProgramWriter writer;
  CommandData command{Opcode::Propagate};
  command.component = writer.component(
      "a", "NaturalGradientAffineComponent",
      {{"input_dim", kIn},
       {"output_dim", kOut},
       {"linear_params", tensor(randomMatrix(kOut, kIn, 1))},
       {"bias_params", vectorTensor(randomMatrix(1, kOut, 2).values)}});
  command.src = command.inValue = writer.input("input", kRows, kIn);
  command.dst = writer.zeroed(kRows, kOut);
  writer.command(command);
  writer.output("output", command.dst);
  writer.command({Opcode::NoOperationMarker});
  command.opcode = Opcode::Backprop;
  command.src = writer.input("output", kRows, kOut, true);
  command.dst = writer.zeroed(kRows, kIn);
  writer.command(command);
  writer.output("input", command.dst, true);
  expectNoAllocations(writer);
}

} // namespace
