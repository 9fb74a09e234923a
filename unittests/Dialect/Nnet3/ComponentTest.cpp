//===- ComponentTest.cpp - Tests of the component interface ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Dialect/Nnet3/IR/ComponentParts.h"
#include "nnet3/Dialect/Nnet3/IR/NetworkOps.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace mlir::nnet3;
using P = ComponentProperties;

namespace {
/// A component, with its expected values from components.md.
struct Case {
  const char *text;
  const char *kaldiType;
  int64_t inputDim, outputDim;
  P properties;
};

class ComponentTest : public ::testing::TestWithParam<Case> {
protected:
  ComponentTest() { context.loadDialect<Nnet3Dialect>(); }

  MLIRContext context;
};

class ComponentInputTest : public ::testing::Test {
protected:
  ComponentInputTest() { context.loadDialect<Nnet3Dialect>(); }

  ComponentOpInterface parse(StringRef component) {
    std::string text = "nnet3.network @net { nnet3." + component.str() + " }";
    module = parseSourceString<ModuleOp>(text, &context);
    ComponentOpInterface result;
    module->walk([&](ComponentOpInterface op) { result = op; });
    return result;
  }

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
};

class TdnnTest : public ::testing::Test {
protected:
  TdnnTest() { context.loadDialect<Nnet3Dialect>(); }

  /// A Tdnn with the given offsets.
  TdnnOp parse(StringRef offsets) {
    std::string text = "nnet3.network @net { nnet3.tdnn @tdnn {input_dim = 2, "
                       "output_dim = 2, time_offsets = array<i64: " +
                       offsets.str() + ">} }";
    module = parseSourceString<ModuleOp>(text, &context);
    TdnnOp tdnn;
    module->walk([&](TdnnOp op) { tdnn = op; });
    return tdnn;
  }

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
};
} // namespace

TEST_P(ComponentTest, IsAsDocumented) {
  const Case &expected = GetParam();
  std::string text =
      "nnet3.network @net { nnet3." + std::string(expected.text) + " }";
  auto module = parseSourceString<ModuleOp>(text, &context);
  ASSERT_TRUE(module) << text;
  unsigned count = 0;
  module->walk([&](ComponentOpInterface component) {
    ++count;
    EXPECT_EQ(component.getKaldiType(), expected.kaldiType);
    EXPECT_EQ(component.getComponentInputDim(), expected.inputDim);
    EXPECT_EQ(component.getComponentOutputDim(), expected.outputDim);
    EXPECT_EQ(unsigned(component.getComponentProperties()),
              unsigned(expected.properties))
        << text;
  });
  EXPECT_EQ(count, 1u);
}

constexpr P S = P::Simple, U = P::Updatable, PIP = P::PropagateInPlace,
            PA = P::PropagateAdds, RI = P::ReordersIndexes,
            BA = P::BackpropAdds, BNI = P::BackpropNeedsInput,
            BNO = P::BackpropNeedsOutput, BIP = P::BackpropInPlace,
            SS = P::StoresStats, IC = P::InputContiguous,
            OC = P::OutputContiguous, UM = P::UsesMemo, RND = P::Random;

static const Case kCases[] = {
    {"tdnn @c {input_dim = 4, output_dim = 3, time_offsets = array<i64: 0, 1>}",
     "TdnnComponent", 4, 3, U | RI | BA | BNI},
    {"tdnn @c {input_dim = 4, output_dim = 3, time_offsets = array<i64: 0>, "
     "use_bias = false}",
     "TdnnComponent", 4, 3, U | RI | BA | BNI | PA},
    {"natural_gradient_affine @c {input_dim = 4, output_dim = 3}",
     "NaturalGradientAffineComponent", 4, 3, S | U | BNI | BA},
    {"affine @c {input_dim = 4, output_dim = 3}", "AffineComponent", 4, 3,
     S | U | BNI | BA},
    {"linear @c {input_dim = 4, output_dim = 3}", "LinearComponent", 4, 3,
     S | U | BNI | PA | BA},
    {"fixed_affine @c {input_dim = 4, output_dim = 3}", "FixedAffineComponent",
     4, 3, S | BA},
    {"rectified_linear @c {dim = 4}", "RectifiedLinearComponent", 4, 4,
     S | BNO | PIP | SS},
    {"rectified_linear @c {dim = 4, block_dim = 2}", "RectifiedLinearComponent",
     4, 4, S | BNO | PIP | SS | IC},
    {"batch_norm @c {dim = 4}", "BatchNormComponent", 4, 4,
     S | BNO | PIP | BIP | UM | SS},
    {"batch_norm @c {dim = 4, block_dim = 2, test_mode = true}",
     "BatchNormComponent", 4, 4, S | BNO | PIP | BIP | IC | OC},
    {"general_dropout @c {dim = 4}", "GeneralDropoutComponent", 4, 4,
     RND | PIP | BIP | UM},
    {"general_dropout @c {dim = 4, block_dim = 2}", "GeneralDropoutComponent",
     4, 4, RND | PIP | BIP | UM | IC | OC},
    {"no_op @c {dim = 4}", "NoOpComponent", 4, 4, S | PIP | BIP},
    {"log_softmax @c {dim = 4}", "LogSoftmaxComponent", 4, 4, S | BNO | SS},
    {"permute @c {column_map = array<i64: 1, 0>}", "PermuteComponent", 2, 2, S},
    {"spec_augment_time_mask @c {dim = 4}", "SpecAugmentTimeMaskComponent", 4,
     4, RND | PIP | BIP | UM},
    {"scale_and_offset @c {dim = 4}", "ScaleAndOffsetComponent", 4, 4,
     S | U | BIP | PIP | BNO},
    {"scale_and_offset @c {dim = 4, block_dim = 2}", "ScaleAndOffsetComponent",
     4, 4, S | U | BIP | PIP | BNO | IC | OC},
    {"lstm_nonlinearity @c {cell_dim = 2}", "LstmNonlinearityComponent", 10, 4,
     S | U | BNI},
    {"lstm_nonlinearity @c {cell_dim = 2, use_dropout = true}",
     "LstmNonlinearityComponent", 13, 4, S | U | BNI},
    {"backprop_truncation @c {dim = 4}", "BackpropTruncationComponent", 4, 4,
     PIP | BIP},
    {"sigmoid @c {dim = 4}", "SigmoidComponent", 4, 4, S | BNO | PIP | SS},
    {"tanh @c {dim = 4}", "TanhComponent", 4, 4, S | BNO | PIP | SS},
    {"elementwise_product @c {input_dim = 6, output_dim = 2}",
     "ElementwiseProductComponent", 6, 2, S | BNI},
    {"natural_gradient_per_element_scale @c {dim = 4}",
     "NaturalGradientPerElementScaleComponent", 4, 4, S | U | BNI | PIP | BIP},
    {"dropout @c {dim = 4, dropout_proportion = 0.5 : f32}", "DropoutComponent",
     4, 4, S | BIP | BNI | BNO | RND},
    {"clip_gradient @c {dim = 4}", "ClipGradientComponent", 4, 4,
     S | PIP | BIP | BNI},
    {"normalize @c {input_dim = 4}", "NormalizeComponent", 4, 4,
     S | BNI | BA | PIP | BIP},
    {"normalize @c {input_dim = 4, block_dim = 2, add_log_stddev = true}",
     "NormalizeComponent", 4, 6, S | BNI | BA | IC | OC},
    {"softmax @c {dim = 4}", "SoftmaxComponent", 4, 4,
     S | PIP | BIP | BNO | SS},
    {"per_element_scale @c {dim = 4}", "PerElementScaleComponent", 4, 4,
     S | U | BNI | PIP | BIP},
    {"per_element_offset @c {dim = 4}", "PerElementOffsetComponent", 4, 4,
     S | U | BIP | PIP},
    {"per_element_offset @c {dim = 4, block_dim = 2}",
     "PerElementOffsetComponent", 4, 4, S | U | BIP | PIP | OC},
    {"fixed_scale @c {dim = 4}", "FixedScaleComponent", 4, 4, S | PIP | BIP},
    {"fixed_bias @c {dim = 4}", "FixedBiasComponent", 4, 4, S | PIP | BIP},
    {"sum_group @c {sizes = array<i64: 2, 3>}", "SumGroupComponent", 5, 2, S},
    {"sum_block @c {input_dim = 6, output_dim = 2}", "SumBlockComponent", 6, 2,
     S | PA | BA},
    {"pnorm @c {input_dim = 6, output_dim = 2}", "PnormComponent", 6, 2,
     S | BNI | BNO},
    {"dropout_mask @c {output_dim = 3}", "DropoutMaskComponent", 3, 3, RND},
    {"constant @c {output_dim = 3}", "ConstantComponent", 3, 3, U},
    {"constant @c {output_dim = 3, is_updatable = false}", "ConstantComponent",
     3, 3, P::None},
    {"constant_function @c {input_dim = 4, output_dim = 3}",
     "ConstantFunctionComponent", 4, 3, S | U | BA},
    {"constant_function @c {input_dim = 3, output_dim = 3, is_updatable = "
     "false}",
     "ConstantFunctionComponent", 3, 3, S | BA | PIP},
    {"block_affine @c {input_dim = 4, output_dim = 6, num_blocks = 2}",
     "BlockAffineComponent", 4, 6, S | U | BNI | BA},
    {"repeated_affine @c {input_dim = 4, output_dim = 6, num_repeats = 2}",
     "RepeatedAffineComponent", 4, 6, S | U | BNI | BA | IC | OC},
    {"natural_gradient_repeated_affine @c {input_dim = 4, output_dim = 6, "
     "num_repeats = 2}",
     "NaturalGradientRepeatedAffineComponent", 4, 6,
     S | U | BNI | BA | IC | OC},
    {"convolution @c {input_x_dim = 3, input_y_dim = 4, input_z_dim = 2, "
     "filt_x_dim = 2, filt_y_dim = 2, filt_x_step = 1, filt_y_step = 2, "
     "num_filters = 5}",
     "ConvolutionComponent", 24, 20, S | U | BNI | BA | PA},
    {"maxpooling @c {input_x_dim = 3, input_y_dim = 4, input_z_dim = 2, "
     "pool_x_size = 2, pool_y_size = 2, pool_z_size = 2, pool_x_step = 1, "
     "pool_y_step = 2, pool_z_step = 1}",
     "MaxpoolingComponent", 24, 4, S | BNI | BNO | BA},
    {"gru_nonlinearity @c {cell_dim = 3}", "GruNonlinearityComponent", 12, 6,
     S | U | BNI | BNO | BA},
    {"gru_nonlinearity @c {cell_dim = 3, recurrent_dim = 2}",
     "GruNonlinearityComponent", 13, 6, S | U | BNI | BNO | BA},
    {"output_gru_nonlinearity @c {cell_dim = 3}",
     "OutputGruNonlinearityComponent", 9, 6, S | U | BNI | BNO | BA},
    {"distribute @c {input_dim = 6, output_dim = 2}", "DistributeComponent", 6,
     2, P::None},
    {"statistics_extraction @c {input_dim = 4}",
     "StatisticsExtractionComponent", 4, 9, RI | BNI},
    {"statistics_extraction @c {input_dim = 4, include_variance = false}",
     "StatisticsExtractionComponent", 4, 5, RI},
    {"statistics_pooling @c {input_dim = 9, left_context = 1, right_context = "
     "1}",
     "StatisticsPoolingComponent", 9, 8, RI | BA | BNI},
    {"statistics_pooling @c {input_dim = 9, left_context = 1, right_context = "
     "1, output_stddevs = true}",
     "StatisticsPoolingComponent", 9, 8, RI | BA | BNI | BNO},
    {"statistics_pooling @c {input_dim = 9, left_context = 1, right_context = "
     "1, num_log_count_features = 2}",
     "StatisticsPoolingComponent", 9, 10, RI | BA | BNO},
    {"time_height_convolution @c {num_filters_in = 2, num_filters_out = 3, "
     "height_in = 5, height_out = 4, offsets = array<i64: 0, 0, 1, 1>}",
     "TimeHeightConvolutionComponent", 10, 12, U | RI | BA | BNI | IC | OC},
    {"restricted_attention @c {num_heads = 2, key_dim = 3, value_dim = 4, "
     "num_left_inputs = 1, num_right_inputs = 3}",
     "RestrictedAttentionComponent", 30, 18, RI | BNI | PA | BA | SS | UM},
    {"restricted_attention @c {num_heads = 2, key_dim = 3, value_dim = 4, "
     "num_left_inputs = 1, num_right_inputs = 3, output_context = false}",
     "RestrictedAttentionComponent", 30, 8, RI | BNI | PA | BA | SS | UM},
};

INSTANTIATE_TEST_SUITE_P(All, ComponentTest, ::testing::ValuesIn(kCases));

// Components that need no input.
TEST_F(ComponentInputTest, NoneIsNeeded) {
  for (const char *text :
       {"constant @c {output_dim = 3}", "dropout_mask @c {output_dim = 3}"}) {
    ComponentOpInterface component = parse(text);
    SmallVector<Index> rows;
    component.getInputIndexes({0, 1, 2}, rows);
    EXPECT_TRUE(
        component.isComputable({0, 1, 2}, [](Index) { return false; }, &rows));
    EXPECT_TRUE(rows.empty());
  }
}

//===----------------------------------------------------------------------===//
// Tdnn
//===----------------------------------------------------------------------===//

TEST_F(TdnnTest, NeedsEveryOffset) {
  TdnnOp tdnn = parse("-3, 0, 3");
  SmallVector<Index> inputs;
  tdnn.getInputIndexes({1, 6, 2}, inputs);
  EXPECT_EQ(inputs, SmallVector<Index>({{1, 3, 2}, {1, 6, 2}, {1, 9, 2}}));
  SmallVector<Index> used;
  EXPECT_TRUE(tdnn.isComputable(
      {0, 3, 0}, [](Index index) { return index.t >= 0; }, &used));
  EXPECT_EQ(used, SmallVector<Index>({{0, 0, 0}, {0, 3, 0}, {0, 6, 0}}));
  EXPECT_FALSE(tdnn.isComputable(
      {0, 2, 0}, [](Index index) { return index.t >= 0; }, nullptr));
}

/// Returns the rows t of `times`, each for n = 0 and 1.
static IndexRows rowsOf(ArrayRef<int32_t> times) {
  SmallVector<Index> rows;
  for (int32_t t : times)
    for (int32_t n : {0, 1})
      rows.push_back({n, t, 0});
  return IndexRows(rows);
}

static ArrayRef<int64_t> rowOffsets(DictionaryAttr precomputed) {
  return precomputed.getAs<DenseI64ArrayAttr>("row_offsets").asArrayRef();
}

static int64_t rowStride(DictionaryAttr precomputed) {
  return precomputed.getAs<IntegerAttr>("row_stride").getInt();
}

TEST_F(TdnnTest, SameSpacingOfInputAndOutput) {
  TdnnOp tdnn = parse("-1, 0, 1");
  IndexRows inputs = rowsOf({-1, 0, 1, 2}), outputs = rowsOf({0, 1});
  ASSERT_TRUE(succeeded(tdnn.reorderIndexes(inputs, outputs)));
  EXPECT_EQ(inputs.rows, rowsOf({-1, 0, 1, 2}).rows);
  EXPECT_EQ(outputs.rows, rowsOf({0, 1}).rows);
  DictionaryAttr precomputed = tdnn.precomputeIndexes(inputs, outputs, false);
  EXPECT_EQ(rowStride(precomputed), 1);
  // Two rows, n = 0 and 1, per frame.
  EXPECT_EQ(rowOffsets(precomputed), ArrayRef<int64_t>({0, 2, 4}));
}

TEST_F(TdnnTest, OutputAtEveryThirdFrame) {
  TdnnOp tdnn = parse("-1, 0, 1");
  SmallVector<int32_t> times = {-1, 0, 1, 2, 3, 4};
  IndexRows inputs = rowsOf(times), outputs = rowsOf({0, 3});
  ASSERT_TRUE(succeeded(tdnn.reorderIndexes(inputs, outputs)));
  // Blocks of three frames; within a block n varies slower than t.
  SmallVector<Index> expected;
  for (int32_t first : {-1, 2})
    for (int32_t n : {0, 1})
      for (int32_t i : {0, 1, 2})
        expected.push_back({n, first + i, 0});
  EXPECT_EQ(inputs.rows, expected);
  EXPECT_EQ(outputs.rows, rowsOf({0, 3}).rows);
  DictionaryAttr precomputed = tdnn.precomputeIndexes(inputs, outputs, false);
  EXPECT_EQ(rowStride(precomputed), 3);
  EXPECT_EQ(rowOffsets(precomputed), ArrayRef<int64_t>({0, 1, 2}));
  // What the kernel reads: rows offset, offset + stride, ...
  for (int64_t row = 0; row < outputs.size(); ++row)
    for (auto [offset, first] :
         llvm::zip_equal(tdnn.getTimeOffsets(), rowOffsets(precomputed))) {
      Index in = inputs.at(first + row * rowStride(precomputed));
      Index out = outputs.at(row);
      EXPECT_EQ(in, (Index{out.n, int32_t(out.t + offset), out.x}));
    }
}

TEST_F(TdnnTest, MissingFramesBecomeBlank) {
  TdnnOp tdnn = parse("0");
  IndexRows inputs = rowsOf({0, 1, 3}), outputs = rowsOf({0, 1, 3});
  ASSERT_TRUE(succeeded(tdnn.reorderIndexes(inputs, outputs)));
  EXPECT_EQ(inputs.size(), 8);
  EXPECT_EQ(inputs.at(4), (Index{0, kNoTime, 0}));
  EXPECT_EQ(inputs.at(6), (Index{0, 3, 0}));
}

TEST_F(TdnnTest, RejectsOutputsOffTheGrid) {
  TdnnOp tdnn = parse("0");
  IndexRows inputs = rowsOf({0, 2, 4}), outputs = rowsOf({0, 1});
  ScopedDiagnosticHandler ignore(&context, [](Diagnostic &) {});
  EXPECT_TRUE(failed(tdnn.reorderIndexes(inputs, outputs)));
}
