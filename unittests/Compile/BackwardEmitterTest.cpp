//===- BackwardEmitterTest.cpp - Commands of the backward pass ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "CompileTest.h"
#include "nnet3/Compile/Compile.h"

using namespace mlir;
using namespace mlir::nnet3;

namespace {
class BackwardEmitterTest : public CompileTest {
protected:
  /// The commands behind the marker, one a line, without types. Matrices are
  /// called after the node whose values they hold, derivatives d_node.
  std::string backward(bool modelDerivative, bool fold = true) {
    getRequest().setNeedModelDerivative(modelDerivative);
    CompileOptions options;
    options.debugInfo = true;
    options.foldSequences = fold;
    OpBuilder builder = OpBuilder::atBlockEnd(module->getBody());
    FailureOr<ComputationOp> computation =
        compileRequest(builder, getNetwork(), *nodes, getRequest(), options);
    if (failed(computation))
      return "failed";
    std::string text;
    bool behind = false;
    for (Operation &op : computation->getBody().front()) {
      if (behind && !isa<SubMatrixOp>(op))
        text += describe(op) + "\n";
      behind |= isa<NoOperationMarkerOp>(op);
    }
    return text;
  }

private:
  std::string name(Value value) {
    Operation *op = value.getDefiningOp();
    if (auto view = dyn_cast<SubMatrixOp>(op))
      return name(view.getSource()) + "[" +
             std::to_string(view.getColOffset()) + "]";
    if (isa<PropagateOp>(op))
      return "memo";
    std::string node = op->getAttrOfType<StringAttr>("nnet3.node").str();
    return (op->hasAttr("nnet3.is_deriv") ? "d_" : "") + node;
  }

  std::string describe(Operation &op) {
    std::string text = op.getName().stripDialect().str();
    for (Value operand : op.getOperands())
      text += " " + name(operand);
    for (Value result : op.getResults())
      text += " -> " + name(result);
    llvm::raw_string_ostream os(text);
    for (StringRef key : {"rows", "begin", "end"})
      if (auto table = op.getAttrOfType<RowTableAttr>(key)) {
        std::string full;
        llvm::raw_string_ostream(full) << table;
        os << " "
           << StringRef(full).drop_until([](char c) { return c == '<'; });
      }
    if (auto step = op.getAttrOfType<IntegerAttr>("step");
        step && step.getInt() != 1)
      os << " step " << step.getInt();
    if (auto alpha = op.getAttrOfType<FloatAttr>("alpha");
        alpha && alpha.getValueAsDouble() != 1)
      os << " alpha " << alpha.getValueAsDouble();
    if (op.hasAttr("update"))
      os << " update";
    return text;
  }
};
} // namespace

/// compile.md 9.1.
TEST_F(BackwardEmitterTest, FeedForward) {
  parse(kFeedForwardNetwork, R"(
    nnet3.request_input "input" <t = -1:1>
    nnet3.request_output "output" <t = 0:1> deriv
  )");
  EXPECT_EQ(backward(/*modelDerivative=*/true), "accept_input -> d_output\n"
                                                "matrix_add d_output d_r\n"
                                                "backprop r d_r d_r_input\n"
                                                "matrix_add d_r_input d_h\n"
                                                "backprop h_input d_h update\n"
                                                "dealloc_matrix input\n"
                                                "dealloc_matrix h_input\n"
                                                "dealloc_matrix h\n"
                                                "dealloc_matrix d_h\n"
                                                "dealloc_matrix r_input\n"
                                                "dealloc_matrix d_r_input\n"
                                                "dealloc_matrix r\n"
                                                "dealloc_matrix d_r\n"
                                                "dealloc_matrix d_output\n");
}

/// compile.md 9.2: Sum(Scale(-1, a), Failover(Offset(b, 1), b)).
TEST_F(BackwardEmitterTest, SeveralScales) {
  parse(R"(
    %a = nnet3.input_node "a" : !nnet3.rows<2>
    %b = nnet3.input_node "b" : !nnet3.rows<2>
    %0 = nnet3.scale -1.0, %a : !nnet3.rows<2>
    %1 = nnet3.offset %b, t = 1 : !nnet3.rows<2>
    %2 = nnet3.failover %1, %b : !nnet3.rows<2>
    %3 = nnet3.sum %0, %2 : !nnet3.rows<2>
    nnet3.output_node "output", %3 : !nnet3.rows<2>
  )",
        R"(
    nnet3.request_input "a" <t = 0:2> deriv
    nnet3.request_input "b" <t = 0:2> deriv
    nnet3.request_output "output" <t = 0:2> deriv
  )");
  EXPECT_EQ(backward(/*modelDerivative=*/false),
            "accept_input -> d_output\n"
            "matrix_add d_output d_a alpha -1.000000e+00\n"
            "add_row_ranges d_output d_b <_, 0:1> <_, 1:3:2>\n"
            "no_operation_permanent\n"
            "dealloc_matrix a\n"
            "dealloc_matrix b\n"
            "dealloc_matrix d_output\n"
            "provide_output d_b\n"
            "provide_output d_a\n");
}

/// One i-vector per sequence: its derivative is one sum over all frames.
TEST_F(BackwardEmitterTest, IvectorIsReduced) {
  for (bool fold : {true, false}) {
    parse(R"(
      %ivector = nnet3.input_node "ivector" : !nnet3.rows<2>
      %0 = nnet3.replace_index %ivector, t = 0 : !nnet3.rows<2>
      nnet3.no_op @no_op {dim = 2}
      %h = nnet3.component_node "h" @no_op(%0) : (!nnet3.rows<2>) -> !nnet3.rows<2>
      nnet3.output_node "output", %h : !nnet3.rows<2>
    )",
          R"(
      nnet3.request_input "ivector" <n = 0:7, t = 0> deriv
      nnet3.request_output "output" <n = 0:7, t = 0:99> deriv
    )");
    EXPECT_NE(backward(false, fold)
                  .find("add_row_ranges d_h_input d_ivector <0:7> "
                        "<793:800> step 8\n"),
              std::string::npos);
  }
}

/// A derivative that goes to two matrices.
TEST_F(BackwardEmitterTest, SeveralTargets) {
  parse(R"(
    %a = nnet3.input_node "a" : !nnet3.rows<2>
    %b = nnet3.input_node "b" : !nnet3.rows<2>
    %0 = nnet3.switch %a, %b : !nnet3.rows<2>
    nnet3.output_node "output", %0 : !nnet3.rows<2>
  )",
        R"(
    nnet3.request_input "a" <t = 0:3> deriv
    nnet3.request_input "b" <t = 0:3> deriv
    nnet3.request_output "output" <t = 0:3> deriv
  )");
  EXPECT_NE(backward(false).find("add_to_rows_multi d_output d_a d_b <0, 1 of "
                                 "1, 2, 3 of 1>\n"),
            std::string::npos)
      << backward(false);
}

/// If one of two sources has no derivative, only the other one gets rows.
TEST_F(BackwardEmitterTest, SourcesWithoutDerivative) {
  parse(R"(
    %a = nnet3.input_node "a" : !nnet3.rows<2>
    %b = nnet3.input_node "b" : !nnet3.rows<2>
    %0 = nnet3.switch %a, %b : !nnet3.rows<2>
    nnet3.output_node "output", %0 : !nnet3.rows<2>
  )",
        R"(
    nnet3.request_input "a" <t = 0:3> deriv
    nnet3.request_input "b" <t = 0:3>
    nnet3.request_output "output" <t = 0:3> deriv
  )");
  EXPECT_NE(backward(false).find("add_rows d_output d_a <0, _, 2, _>\n"),
            std::string::npos)
      << backward(false);
}

/// The memo of batch norm in training mode is used by its statistics and by the
/// backward pass.
TEST_F(BackwardEmitterTest, Memos) {
  parse(R"(
    %x = nnet3.input_node "x" : !nnet3.rows<2>
    nnet3.batch_norm @norm {dim = 2}
    %h = nnet3.component_node "h" @norm(%x) : (!nnet3.rows<2>) -> !nnet3.rows<2>
    nnet3.output_node "output", %h : !nnet3.rows<2>
  )",
        R"(
    nnet3.request_input "x" <t = 0> deriv
    nnet3.request_output "output" <t = 0> deriv
  )");
  getRequest().setStoreComponentStats(true);
  EXPECT_NE(backward(false).find("backprop h d_h d_h_input memo\n"),
            std::string::npos)
      << backward(false);
  auto computation = *module->getOps<ComputationOp>().begin();
  auto propagate = *computation.getBody().getOps<PropagateOp>().begin();
  auto stats = *computation.getBody().getOps<StoreStatsOp>().begin();
  EXPECT_TRUE(propagate.getMemo());
  EXPECT_EQ(stats.getMemo(), propagate.getMemo());
}

/// An output without a derivative has neither a matrix nor an input for it.
TEST_F(BackwardEmitterTest, OutputWithoutDerivative) {
  parse(R"(
    %x = nnet3.input_node "x" : !nnet3.rows<2>
    nnet3.output_node "output", %x : !nnet3.rows<2>
    nnet3.output_node "other", %x : !nnet3.rows<2>
  )",
        R"(
    nnet3.request_input "x" <t = 0> deriv
    nnet3.request_output "output" <t = 0>
    nnet3.request_output "other" <t = 0> deriv
  )");
  EXPECT_EQ(backward(false), "accept_input -> d_other\n"
                             "matrix_add d_other d_x\n"
                             "no_operation_permanent\n"
                             "dealloc_matrix x\n"
                             "dealloc_matrix d_other\n"
                             "provide_output d_x\n");
}
