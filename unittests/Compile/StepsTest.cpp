//===- StepsTest.cpp - Matrices of a computation --------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "CompileTest.h"

using namespace mlir;
using namespace mlir::nnet3;

namespace {
class StepsTest : public CompileTest {
protected:
  /// Every kept row but component inputs is where its location says.
  void checkLocations() {
    for (int32_t id = 0; id < graph->size(); ++id) {
      const Cindex &cindex = graph->getCindex(id);
      if (!graph->isKept(id) || (*nodes)[cindex.node].isComponentInput())
        continue;
      RowLocation location = steps.locations[id];
      ASSERT_GE(location.step, 0) << (*nodes)[cindex.node].name;
      const Step &step = steps.steps[location.step];
      EXPECT_EQ(step.node, cindex.node);
      EXPECT_EQ(step.rows.rows[location.entry], cindex.index);
    }
  }
};
} // namespace

/// compile.md 6.3
TEST_F(StepsTest, FeedForward) {
  parse(kFeedForwardNetwork, R"(
    nnet3.request_input "input" <t = -1:1>
    nnet3.request_output "output" <t = 0:1>
  )");
  runSteps();
  EXPECT_EQ(strSteps(), "input: -1 0 1\n"
                        "h_input: 0 1\n"
                        "h: 0 1\n"
                        "r_input: 0 1\n"
                        "r: 0 1\n"
                        "output: 0 1\n");
  EXPECT_TRUE(steps.steps.front().isInput);
  checkLocations();
}

/// Inputs and outputs keep the request's order. Other matrices have t outermost
/// and n innermost.
TEST_F(StepsTest, RowOrders) {
  const char *network = R"(
    %x = nnet3.input_node "x" : !nnet3.rows<1>
    nnet3.no_op @no_op {dim = 1}
    %a = nnet3.component_node "a" @no_op(%x) : (!nnet3.rows<1>) -> !nnet3.rows<1>
    nnet3.output_node "output", %a : !nnet3.rows<1>
  )";
  const char *request = R"(
    nnet3.request_input "x" <n = 1:2, t = 0:1>
    nnet3.request_output "output" <[(1, 1), (1, 0), (2, 1), (2, 0)]>
  )";
  for (bool fold : {false, true}) {
    parse(network, request);
    runSteps(fold);
    EXPECT_EQ(rows.isFolded(), fold);
    EXPECT_EQ(strSteps(), "x: (1, 0) (1, 1) (2, 0) (2, 1)\n"
                          "a_input: (1, 0) (2, 0) (1, 1) (2, 1)\n"
                          "a: (1, 0) (2, 0) (1, 1) (2, 1)\n"
                          "output: (1, 1) (1, 0) (2, 1) (2, 0)\n");
    checkLocations();
  }
}

//===----------------------------------------------------------------------===//
// Row grids of a Tdnn (compile.md 6.4)
//===----------------------------------------------------------------------===//

static std::string tdnnNetwork(StringRef offsets) {
  return R"(
    %x = nnet3.input_node "x" : !nnet3.rows<1>
    nnet3.tdnn @tdnn {input_dim = 1, output_dim = 1, time_offsets = array<i64: )" +
         offsets.str() + R"(>}
    %y = nnet3.component_node "y" @tdnn(%x) : (!nnet3.rows<1>) -> !nnet3.rows<1>
    nnet3.output_node "output", %y : !nnet3.rows<1>
  )";
}

/// The input times -1, 0, 2, 3, 5, 6 become the grid -1..7, a multiple of the 3
/// input times per output time.
TEST_F(StepsTest, TdnnGridWithBlankRows) {
  for (bool fold : {false, true}) {
    parse(tdnnNetwork("-1, 0"), R"(
      nnet3.request_input "x" <n = 0:1, t = -1:6>
      nnet3.request_output "output" <n = 0:1, t = 0:6:3>
    )");
    runSteps(fold);
    EXPECT_EQ(str(steps.steps[1].rows.expand()),
              "-1 0 (0, _) (1, -1) (1, 0) (1, _) "
              "2 3 (0, _) (1, 2) (1, 3) (1, _) "
              "5 6 (0, _) (1, 5) (1, 6) (1, _)");
    EXPECT_EQ(str(steps.steps[2].rows.expand()), "0 (1, 0) 3 (1, 3) 6 (1, 6)");
    ComponentOpInterface component = (*nodes)[steps.steps[2].node].component;
    DictionaryAttr precomputed = component.precomputeIndexes(
        steps.steps[1].rows, steps.steps[2].rows, false);
    EXPECT_EQ(
        cast<DenseI64ArrayAttr>(precomputed.get("row_offsets")).asArrayRef(),
        ArrayRef<int64_t>({0, 1}));
    EXPECT_EQ(cast<IntegerAttr>(precomputed.get("row_stride")).getInt(), 3);
    checkLocations();
  }
}

TEST_F(StepsTest, TdnnGridWithoutBlankRows) {
  parse(tdnnNetwork("-3, 0, 3"), R"(
    nnet3.request_input "x" <t = -3:9>
    nnet3.request_output "output" <t = 0:6:3>
  )");
  runSteps();
  EXPECT_EQ(strSteps(), "x: -3 -2 -1 0 1 2 3 4 5 6 7 8 9\n"
                        "y_input: -3 0 3 6 9\n"
                        "y: 0 3 6\n"
                        "output: 0 3 6\n");
}

/// Output times off the grid are computed as well, but not read.
TEST_F(StepsTest, TdnnGridOfIrregularOutputs) {
  parse(tdnnNetwork("0"), R"(
    nnet3.request_input "x" <t = 0:5>
    nnet3.request_output "output" <t = [0, 2, 3]>
  )");
  runSteps();
  EXPECT_EQ(strSteps(), "x: 0 1 2 3 4 5\n"
                        "y_input: 0 (0, _) 2 3\n"
                        "y: 0 (0, _) 2 3\n"
                        "output: 0 2 3\n");
  checkLocations();
}

TEST_F(StepsTest, TdnnGridThatIsTooLarge) {
  parse(tdnnNetwork("0, 1"), R"(
    nnet3.request_input "x" <t = [0:1, 2000000000:2000000001]>
    nnet3.request_output "output" <t = [0, 2000000000]>
  )");
  runPhases();
  std::string message;
  ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
    message += diagnostic.str();
    return success();
  });
  EXPECT_TRUE(failed(computeSteps(*graph, phases, rows)));
  EXPECT_NE(message.find("cannot lay out 4 rows: their grid of 4000000000 "
                         "frames has more than 2^24 rows"),
            std::string::npos)
      << message;
}

//===----------------------------------------------------------------------===//
// Dim-range nodes (compile.md 6.5)
//===----------------------------------------------------------------------===//

TEST_F(StepsTest, RecurrenceThroughADimRange) {
  parse(kDimRangeNetwork, R"(
    nnet3.request_input "x" <t = 0:1>
    nnet3.request_output "output" <t = 0:1>
  )");
  runSteps();
  EXPECT_EQ(strPhases(), "x: 0 1\nW_input: 0\nW: 0\nr: 0\nW_input: 1\nW: 1\n"
                         "output: 0 1\n");
  EXPECT_EQ(strSteps(), "x: 0 1\nW_input: 0\nW: 0\nr: 0\nW_input: 1\nW: 1\n"
                        "output: 0 1\n");
  EXPECT_EQ(steps.steps[3].source, 2);
  checkLocations();
}

/// A slice has all rows of its source, even if they were not requested, and
/// there is one slice per source step.
TEST_F(StepsTest, DimRangesHaveTheRowsOfTheirSource) {
  parse(R"(
    %x = nnet3.input_node "x" : !nnet3.rows<2>
    %s = nnet3.dim_range_node "s" %x offset 1 : !nnet3.rows<2> -> !nnet3.rows<1>
    nnet3.output_node "output", %s : !nnet3.rows<1>
    %0 = nnet3.offset %s, t = 2 : !nnet3.rows<1>
    nnet3.output_node "later", %0 : !nnet3.rows<1>
  )",
        R"(
    nnet3.request_input "x" <t = 0:5>
    nnet3.request_output "output" <t = 1>
    nnet3.request_output "later" <t = 2>
  )");
  runSteps();
  EXPECT_EQ(strSteps(), "x: 0 1 2 3 4 5\ns: 0 1 2 3 4 5\nlater: 2\n"
                        "output: 1\n");
  checkLocations();
}

/// Given rows of a component node form one step, computed rows another one.
TEST_F(StepsTest, ComponentNodeAsInput) {
  parse(R"(
    %x = nnet3.input_node "x" : !nnet3.rows<1>
    nnet3.no_op @no_op {dim = 1}
    %a = nnet3.component_node "a" @no_op(%x) : (!nnet3.rows<1>) -> !nnet3.rows<1>
    nnet3.output_node "output", %a : !nnet3.rows<1>
  )",
        R"(
    nnet3.request_input "a" <t = [3, 1]>
    nnet3.request_input "x" <t = 0:3>
    nnet3.request_output "output" <t = 0:3>
  )");
  runSteps();
  EXPECT_EQ(strSteps(), "x: 0 1 2 3\na: 3 1\na_input: 0 2\na: 0 2\n"
                        "output: 0 1 2 3\n");
  EXPECT_TRUE(steps.steps[1].isInput);
  EXPECT_FALSE(steps.steps[3].isInput);
  checkLocations();
}
