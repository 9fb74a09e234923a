//===- ComponentCorruptionTest.cpp - Damaged components -------------------===//
//
// See CorruptionTest.cpp: here, what is verified by the components.
//
//===----------------------------------------------------------------------===//

#include "DamagedProgram.h"
#include "ProgramWriter.h"
#include "core/ProgramData.h"

#include <gtest/gtest.h>

using namespace nnet3::runtime;
using namespace nnet3::runtime::test;

namespace {

/// Attributes and precomputed indexes of one type; 6 columns in, 4 rows.
struct TypeSample {
  const char *type;
  int32_t outCols;
  Attrs attrs;
  Attrs precomputed;
};

/// Types with more to verify than a dim.
std::vector<TypeSample> typeSamples() {
  using Ints = std::vector<int64_t>;
  auto vec = [](int32_t n) {
    return vectorTensor(randomMatrix(1, n, uint32_t(n)).values);
  };
  const Matrix w(3, 6, 0.5f);
  const Attr in = {"input_dim", 6}, out3 = {"output_dim", 3};
  const Attr dim = {"dim", 6}, block2 = {"block_dim", 2};
  return {
      {"AffineComponent",
       3,
       {in, out3, {"linear_params", tensor(w)}, {"bias_params", vec(3)}},
       {}},
      {"LinearComponent", 3, {in, out3, {"params", tensor(w)}}, {}},
      {"TdnnComponent",
       3,
       {in, out3, {"time_offsets", Ints{0}}, {"linear_params", tensor(w)}},
       {{"row_stride", 1}, {"row_offsets", Ints{0}}}},
      {"BatchNormComponent",
       6,
       {dim,
        block2,
        {"test_mode", true},
        {"count", 3.0},
        {"stats_mean", vec(2)},
        {"stats_var", vec(2)}},
       {}},
      {"BatchNormComponent", 6, {dim, block2}, {}},
      {"NormalizeComponent",
       9,
       {in, block2, {"add_log_stddev", true}, {"target_rms", 0.5}},
       {}},
      {"GeneralDropoutComponent",
       6,
       {dim,
        block2,
        {"specaugment_max_proportion", 0.5},
        {"specaugment_max_regions", 3}},
       {{"num_mask_rows", 6}, {"indexes", Ints{0, 1, 0, 1}}}},
      {"SpecAugmentTimeMaskComponent",
       6,
       {dim, {"zeroed_proportion", 0.25}, {"time_mask_max_frames", 10}},
       {{"rows", Ints{0, 2, 1, 3}}, {"lengths", Ints{2, 2}}}},
      {"ElementwiseProductComponent", 3, {in, out3}, {}},
      {"SumBlockComponent", 3, {in, out3, {"scale", 2.0}}, {}},
      {"SumGroupComponent", 3, {{"sizes", Ints{1, 2, 3}}}, {}},
      {"PermuteComponent", 6, {{"column_map", Ints{1, 0, 2, 3, 5, 4}}}, {}},
      {"PerElementOffsetComponent", 6, {dim, block2, {"offsets", vec(2)}}, {}},
      {"ScaleAndOffsetComponent",
       6,
       {dim, block2, {"scales", vec(2)}, {"offsets", vec(2)}},
       {}},
      {"SoftmaxComponent", 6, {dim}, {}},
      {"DropoutComponent",
       6,
       {dim, {"dropout_proportion", 0.5}, {"dropout_per_frame", true}},
       {}},
      {"BackpropTruncationComponent",
       6,
       {dim, {"clipping_threshold", 1.0}},
       {{"zeroing", Ints{-1, 0, 0, -1}}}},
      {"ClipGradientComponent",
       6,
       {dim,
        {"clipping_threshold", 1.0},
        {"norm_based_clipping", true},
        {"num_elements_clipped", 50},
        {"num_elements_processed", 100}},
       {}},
      {"NaturalGradientPerElementScaleComponent",
       6,
       {dim, {"scales", vec(6)}, {"rank", 2}},
       {}}};
}

/// Properties of a component.
uint32_t propertiesOf(const TypeSample &sample) {
  ProgramWriter writer;
  writer.component("c", sample.type, sample.attrs);
  const auto program = load(writer);
  return program ? program->data().components[0]->properties() : 0;
}

/// A program of one such component, forward and backward, and of the LSTM's
/// nonlinearity.
std::vector<uint8_t> typeFile(const TypeSample &sample) {
  const bool usesMemo = propertiesOf(sample) & kUsesMemo;
  ProgramWriter writer;
  CommandData command{Opcode::Propagate};
  command.component = writer.component("c", sample.type, sample.attrs);
  const int32_t lstm = writer.component(
      "l", "LstmNonlinearityComponent",
      {{"cell_dim", 1}, {"params", tensor(Matrix(3, 1, 0.5f))}});
  const int32_t in = writer.input("input", 4, 6);
  const int32_t out = writer.zeroed(4, sample.outCols);
  writer.propagate(lstm, writer.part(in, 0, 4, 0, 5),
                   writer.part(out, 0, 4, 0, 2));
  if (!sample.precomputed.empty())
    command.precomputed = writer.precomputed(sample.precomputed);
  command.memo = usesMemo ? 0 : -1;
  command.src = in;
  command.dst = out;
  writer.command(command);
  writer.output("output", out);
  writer.command({Opcode::NoOperationMarker});
  command.opcode = Opcode::Backprop;
  command.inValue = in;
  command.outValue = out;
  command.src = writer.input("output", 4, sample.outCols, true);
  command.dst = writer.zeroed(4, 6);
  writer.command(command);
  writer.output("input", command.dst, true);
  return writer.finishFile(/*withChecksums=*/false);
}

TEST(ComponentCorruptionTest, EveryChangedByteIsHarmless) {
  for (const TypeSample &sample : typeSamples()) {
    const std::vector<uint8_t> file = typeFile(sample);
    ASSERT_TRUE(loadAndRun(file)) << sample.type;
    for (size_t i = 0; i < file.size(); ++i)
      for (uint8_t change : {0x01, 0x40, 0x80, 0xFF}) {
        std::vector<uint8_t> damaged = file;
        damaged[i] ^= change;
        loadAndRun(damaged);
      }
  }
}

} // namespace
