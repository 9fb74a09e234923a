//===- ContextComponentTest.cpp - Rows of components with context ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Dialect/Nnet3/IR/ComponentParts.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace mlir::nnet3;
using P = ComponentProperties;

namespace {
class ContextComponentTest : public ::testing::Test {
protected:
  ContextComponentTest() { context.loadDialect<Nnet3Dialect>(); }

  /// The component that `text` describes.
  ComponentOpInterface parse(const std::string &text) {
    module = parseSourceString<ModuleOp>(
        "nnet3.network @net { nnet3." + text + " }", &context);
    EXPECT_TRUE(module) << text;
    auto network = *module->getOps<NetworkOp>().begin();
    return *network.getOps<ComponentOpInterface>().begin();
  }

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
};
} // namespace

static IndexRows rowsOf(ArrayRef<int32_t> times, ArrayRef<int32_t> ns = {0}) {
  SmallVector<Index> rows;
  for (int32_t t : times)
    for (int32_t n : ns)
      rows.push_back({n, t, 0});
  return IndexRows(rows);
}

static SmallVector<Index> inputsOf(ComponentOpInterface component,
                                   Index output) {
  SmallVector<Index> inputs;
  component.getInputIndexes(output, inputs);
  return inputs;
}

/// Returns the rows that are used if those from t = `first` to `last` are
/// available; empty if the output is not computable.
static SmallVector<Index> usedOf(ComponentOpInterface component, Index output,
                                 int32_t first, int32_t last) {
  SmallVector<Index> used;
  auto isThere = [&](Index index) {
    return index.t >= first && index.t <= last;
  };
  bool ok = component.isComputable(output, isThere, &used);
  EXPECT_EQ(ok, component.isComputable(output, isThere, nullptr));
  return used;
}

static SmallVector<int64_t> tableOf(DictionaryAttr precomputed,
                                    StringRef name) {
  SmallVector<int64_t> rows;
  for (RowRef row : precomputed.getAs<RowTableAttr>(name).expand())
    rows.push_back(row.row);
  return rows;
}

static SmallVector<int64_t> listOf(DictionaryAttr precomputed, StringRef name) {
  return SmallVector<int64_t>(
      precomputed.getAs<DenseI64ArrayAttr>(name).asArrayRef());
}

using Rows = SmallVector<Index>;
using Numbers = SmallVector<int64_t>;

TEST_F(ContextComponentTest, DistributeReadsBlocks) {
  ComponentOpInterface component =
      parse("distribute @c {input_dim = 6, output_dim = 2}");
  EXPECT_EQ(inputsOf(component, {1, 5, 4}), Rows({{1, 5, 1}}));
  EXPECT_EQ(inputsOf(component, {1, 5, -1}), Rows({{1, 5, -1}}));
  IndexRows inputs(Rows{{0, 0, -1}, {0, 0, 1}});
  IndexRows outputs(Rows{{0, 0, -1}, {0, 0, 3}, {0, 0, 5}});
  DictionaryAttr precomputed =
      component.precomputeIndexes(inputs, outputs, false);
  EXPECT_EQ(tableOf(precomputed, "rows"), Numbers({0, 1, 1}));
  EXPECT_EQ(tableOf(precomputed, "blocks"), Numbers({2, 0, 2}));
  // The rows of several sequences lie next to each other.
  IndexRows manyInputs(inputs.rows, {0, 1, 2}, 1);
  IndexRows manyOutputs(outputs.rows, {0, 1, 2}, 1);
  precomputed = component.precomputeIndexes(manyInputs, manyOutputs, false);
  EXPECT_EQ(tableOf(precomputed, "rows"), Numbers({0, 1, 2, 3, 4, 5, 3, 4, 5}));
  EXPECT_EQ(tableOf(precomputed, "blocks"),
            Numbers({2, 2, 2, 0, 0, 0, 2, 2, 2}));
}

TEST_F(ContextComponentTest, ExtractionReadsItsPeriod) {
  ComponentOpInterface component =
      parse("statistics_extraction @c {input_dim = 4, input_period = 2, "
            "output_period = 6}");
  Rows expected({{1, -6, 3}, {1, -4, 3}, {1, -2, 3}});
  EXPECT_EQ(inputsOf(component, {1, -1, 3}), expected);
  EXPECT_EQ(inputsOf(component, {1, -6, 3}), expected);
  EXPECT_EQ(component.getTimeModulus(), 6);
  EXPECT_EQ(usedOf(component, {0, 6, 0}, 0, 8), Rows({{0, 6, 0}, {0, 8, 0}}));
  EXPECT_TRUE(usedOf(component, {0, 6, 0}, 0, 5).empty());
}

TEST_F(ContextComponentTest, PoolingReadsItsWindow) {
  ComponentOpInterface component =
      parse("statistics_pooling @c {input_dim = 9, input_period = 2, "
            "left_context = 2, right_context = 4}");
  EXPECT_EQ(inputsOf(component, {1, 2, 3}),
            Rows({{1, 0, 3}, {1, 2, 3}, {1, 4, 3}, {1, 6, 3}}));
  EXPECT_TRUE(inputsOf(component, {1, 3, 3}).empty());
  EXPECT_FALSE(component.getOptionalTimes({1, 3, 3}).has_value());
  EXPECT_TRUE(usedOf(component, {0, 3, 0}, 0, 10).empty());
  EXPECT_EQ(usedOf(component, {0, 2, 0}, 4, 5), Rows({{0, 4, 0}}));
}

TEST_F(ContextComponentTest, StatisticsAreSortedBySequence) {
  ComponentOpInterface component =
      parse("statistics_pooling @c {input_dim = 9, left_context = 1, "
            "right_context = 1}");
  IndexRows inputs = rowsOf({0, 1, 2, 3}, {0, 1}),
            outputs = rowsOf({0, 1, 2, 3}, {0, 1});
  ASSERT_TRUE(succeeded(component.reorderIndexes(inputs, outputs)));
  EXPECT_EQ(inputs.at(3), (Index{0, 3, 0}));
  EXPECT_EQ(inputs.at(4), (Index{1, 0, 0}));
  DictionaryAttr precomputed =
      component.precomputeIndexes(inputs, outputs, true);
  EXPECT_EQ(tableOf(precomputed, "begins"), Numbers({0, 0, 1, 2, 4, 4, 5, 6}));
  EXPECT_EQ(tableOf(precomputed, "ends"), Numbers({2, 3, 4, 4, 6, 7, 8, 8}));
}

TEST_F(ContextComponentTest, SequencesOfStatisticsAreOutermost) {
  ComponentOpInterface component =
      parse("statistics_pooling @c {input_dim = 9, left_context = 0, "
            "right_context = 10000}");
  IndexRows inputs(rowsOf({0, 1, 2}).rows, {0, 1, 3, 2}, 1);
  IndexRows outputs(rowsOf({0}).rows, {0, 1, 3, 2}, 1);
  ASSERT_TRUE(succeeded(component.reorderIndexes(inputs, outputs)));
  EXPECT_EQ(inputs.at(2), (Index{0, 2, 0}));
  EXPECT_EQ(inputs.at(3), (Index{1, 0, 0}));
  DictionaryAttr precomputed =
      component.precomputeIndexes(inputs, outputs, false);
  EXPECT_EQ(tableOf(precomputed, "begins"), Numbers({0, 3, 6, 9}));
  EXPECT_EQ(tableOf(precomputed, "ends"), Numbers({3, 6, 9, 12}));
}

static const char kConvolution[] =
    "time_height_convolution @c {num_filters_in = 1, num_filters_out = 1, "
    "height_in = 2, height_out = 2, offsets = array<i64: -1, 0, 0, 0, 0, 1, 1, "
    "0>, required_time_offsets = array<i64: 0>}";

TEST_F(ContextComponentTest, ConvolutionCanDoWithoutOptionalTimes) {
  ComponentOpInterface component = parse(kConvolution);
  EXPECT_EQ(inputsOf(component, {1, 5, 2}),
            Rows({{1, 4, 2}, {1, 5, 2}, {1, 6, 2}}));
  EXPECT_EQ(usedOf(component, {0, 5, 0}, 5, 5), Rows({{0, 5, 0}}));
  EXPECT_EQ(usedOf(component, {0, 5, 0}, 5, 9), Rows({{0, 5, 0}, {0, 6, 0}}));
  EXPECT_TRUE(usedOf(component, {0, 5, 0}, 6, 9).empty());
}

// The example of compile.md 6.4.
TEST_F(ContextComponentTest, ConvolutionPadsAndReorders) {
  ComponentOpInterface component = parse(kConvolution);
  IndexRows inputs = rowsOf({0, 1, 2, 3, 4, 5}, {0, 1}),
            outputs = rowsOf({0, 2, 4}, {0, 1});
  ASSERT_TRUE(succeeded(component.reorderIndexes(inputs, outputs)));
  Rows expected = {
      {0, kNoTime, 0}, {0, 0, 0},       {1, kNoTime, 0}, {1, 0, 0},
      {0, 1, 0},       {0, 2, 0},       {1, 1, 0},       {1, 2, 0},
      {0, 3, 0},       {0, 4, 0},       {1, 3, 0},       {1, 4, 0},
      {0, 5, 0},       {0, kNoTime, 0}, {1, 5, 0},       {1, kNoTime, 0}};
  EXPECT_EQ(inputs.rows, expected);
  EXPECT_EQ(outputs.rows, rowsOf({0, 2, 4}, {0, 1}).rows);
  DictionaryAttr precomputed =
      component.precomputeIndexes(inputs, outputs, false);
  EXPECT_EQ(listOf(precomputed, "row_offsets"), Numbers({0, 1, 4}));
  EXPECT_EQ(precomputed.getAs<IntegerAttr>("row_stride").getInt(), 2);
}

TEST_F(ContextComponentTest, AttentionNeedsWhatIsRequired) {
  ComponentOpInterface component =
      parse("restricted_attention @c {key_dim = 2, value_dim = 2, "
            "num_left_inputs = 2, num_right_inputs = 1, "
            "num_left_inputs_required = 1, num_right_inputs_required = 0, "
            "time_stride = 3}");
  EXPECT_EQ(inputsOf(component, {0, 6, 0}),
            Rows({{0, 0, 0}, {0, 3, 0}, {0, 6, 0}, {0, 9, 0}}));
  EXPECT_EQ(usedOf(component, {0, 6, 0}, 3, 6), Rows({{0, 3, 0}, {0, 6, 0}}));
  EXPECT_TRUE(usedOf(component, {0, 6, 0}, 4, 9).empty());
}

TEST_F(ContextComponentTest, AttentionPadsItsInput) {
  ComponentOpInterface component =
      parse("restricted_attention @c {key_dim = 2, value_dim = 2, "
            "num_left_inputs = 1, num_right_inputs = 1, "
            "num_left_inputs_required = 0, time_stride = 2}");
  // Outputs at odd distances: the grid has all times.
  IndexRows inputs = rowsOf({0, 2, 3, 5}, {0, 1}),
            outputs = rowsOf({0, 3}, {0, 1});
  ASSERT_TRUE(succeeded(component.reorderIndexes(inputs, outputs)));
  constexpr int32_t none = kNoTime;
  EXPECT_EQ(inputs.rows,
            rowsOf({none, none, 0, none, 2, 3, none, 5}, {0, 1}).rows);
  EXPECT_EQ(outputs.rows, rowsOf({0, none, none, 3}, {0, 1}).rows);
  DictionaryAttr precomputed =
      component.precomputeIndexes(inputs, outputs, false);
  EXPECT_EQ(precomputed.getAs<IntegerAttr>("row_shift").getInt(), 4);
}

TEST_F(ContextComponentTest, CompositeIsWhatItsPartsAre) {
  ComponentOpInterface component =
      parse("composite @c { nnet3.linear @a {input_dim = 4, output_dim = 3} "
            "nnet3.tanh @b {dim = 3} }");
  EXPECT_EQ(component.getComponentInputDim(), 4);
  EXPECT_EQ(component.getComponentOutputDim(), 3);
  EXPECT_EQ(unsigned(component.getComponentProperties()),
            unsigned(P::Simple | P::Updatable | P::BackpropNeedsInput |
                     P::BackpropNeedsOutput | P::BackpropAdds));
  component = parse("composite @c { nnet3.tanh @b {dim = 4} nnet3.linear @a "
                    "{input_dim = 4, output_dim = 3} }");
  EXPECT_EQ(unsigned(component.getComponentProperties()),
            unsigned(P::Simple | P::Updatable | P::BackpropNeedsInput |
                     P::PropagateAdds));
}

TEST_F(ContextComponentTest, PartsHavePrefixes) {
  ComponentOpInterface component =
      parse("composite @c { nnet3.tanh @a {dim = 4} nnet3.no_op @b {dim = 4} "
            "}");
  std::string all;
  forEachPart(component, [&](ComponentOpInterface part, StringRef prefix) {
    all += (prefix + part.getKaldiType() + " ").str();
  });
  EXPECT_EQ(all, "CompositeComponent component1.TanhComponent "
                 "component2.NoOpComponent ");
  StringRef name = "component2.backprop_scale";
  EXPECT_EQ(findPart(component, name).getKaldiType(), "NoOpComponent");
  EXPECT_EQ(name, "backprop_scale");
  EXPECT_EQ(findPart(component, name), component);
}
