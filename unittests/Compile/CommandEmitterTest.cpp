//===- CommandEmitterTest.cpp - Commands of a computation -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "CompileTest.h"

#include "nnet3/Compile/Compile.h"

using namespace mlir;
using namespace mlir::nnet3;

namespace {
class CommandEmitterTest : public CompileTest {
protected:
  ComputationOp compile(const CompileOptions &options = {}) {
    OpBuilder builder = OpBuilder::atBlockEnd(module->getBody());
    FailureOr<ComputationOp> computation =
        compileRequest(builder, getNetwork(), *nodes, getRequest(), options);
    EXPECT_TRUE(succeeded(computation));
    return *computation;
  }

  /// Names of the commands, in order, without the dialect.
  std::vector<std::string> names(ComputationOp computation) {
    std::vector<std::string> list;
    for (Operation &op : computation.getBody().front())
      list.push_back(op.getName().stripDialect().str());
    return list;
  }

  /// The only command of a type, or the one of a number.
  template <typename OpTy> OpTy get(ComputationOp computation, int number = 0) {
    auto ops = computation.getBody().getOps<OpTy>();
    return *std::next(ops.begin(), number);
  }

  std::string str(Attribute attribute) {
    std::string text;
    llvm::raw_string_ostream(text) << attribute;
    return text;
  }
};
} // namespace

/// compile.md 9.1, forward.
TEST_F(CommandEmitterTest, FeedForward) {
  parse(kFeedForwardNetwork, R"(
    nnet3.request_input "input" <t = -1:1>
    nnet3.request_output "output" <t = 0:1>
  )");
  ComputationOp computation = compile();
  EXPECT_EQ(names(computation),
            std::vector<std::string>({"accept_input",
                                      "alloc_matrix_zeroed",
                                      "alloc_matrix_zeroed",
                                      "alloc_matrix_zeroed",
                                      "alloc_matrix_zeroed",
                                      "alloc_matrix_zeroed",
                                      "no_operation_permanent",
                                      "sub_matrix",
                                      "add_rows",
                                      "sub_matrix",
                                      "add_rows",
                                      "propagate",
                                      "matrix_add",
                                      "propagate",
                                      "matrix_add",
                                      "provide_output",
                                      "no_operation_marker",
                                      "dealloc_matrix",
                                      "dealloc_matrix",
                                      "dealloc_matrix",
                                      "dealloc_matrix",
                                      "dealloc_matrix"}));
  EXPECT_EQ(str(get<AddRowsOp>(computation, 0).getRows()),
            "#nnet3.row_table<0:1>");
  EXPECT_EQ(str(get<AddRowsOp>(computation, 1).getRows()),
            "#nnet3.row_table<1:2>");
  EXPECT_EQ(get<SubMatrixOp>(computation, 1).getColOffset(), 3);
  // The output is left to the caller.
  Value output = get<ProvideOutputOp>(computation).getMatrix();
  for (DeallocMatrixOp op : computation.getBody().getOps<DeallocMatrixOp>())
    EXPECT_NE(op.getMatrix(), output);
}

/// compile.md 9.2: Sum(Scale(-1, a), Failover(Offset(b, 1), b)).
TEST_F(CommandEmitterTest, SeveralScales) {
  parse(R"(
    %x = nnet3.input_node "x" : !nnet3.rows<2>
    nnet3.no_op @no_op {dim = 2}
    %a = nnet3.component_node "a" @no_op(%x) : (!nnet3.rows<2>) -> !nnet3.rows<2>
    %b = nnet3.component_node "b" @no_op(%x) : (!nnet3.rows<2>) -> !nnet3.rows<2>
    %0 = nnet3.scale -1.0, %a : !nnet3.rows<2>
    %1 = nnet3.offset %b, t = 1 : !nnet3.rows<2>
    %2 = nnet3.failover %1, %b : !nnet3.rows<2>
    %3 = nnet3.const 0.5 : !nnet3.rows<2>
    %4 = nnet3.sum %0, %2, %3 : !nnet3.rows<2>
    nnet3.output_node "output", %4 : !nnet3.rows<2>
  )",
        R"(
    nnet3.request_input "x" <t = 0:2>
    nnet3.request_output "output" <t = 0:2>
  )");
  ComputationOp computation = compile();
  Value output = get<ProvideOutputOp>(computation).getMatrix();
  SmallVector<Operation *> users(output.getUsers());
  std::reverse(users.begin(), users.end());
  ASSERT_EQ(users.size(), 4u);
  EXPECT_EQ(cast<SetConstOp>(users[0]).getValue().convertToFloat(), 0.5f);
  EXPECT_EQ(cast<MatrixAddOp>(users[1]).getAlpha().convertToFloat(), -1.0f);
  EXPECT_EQ(str(cast<AddRowsOp>(users[2]).getRows()),
            "#nnet3.row_table<0, 2 x 1>");
  EXPECT_EQ(cast<AddRowsOp>(users[2]).getAlpha().convertToFloat(), 1.0f);
}

/// compile.md 6.5: the output reads two matrices.
TEST_F(CommandEmitterTest, SeveralSources) {
  parse(kDimRangeNetwork, R"(
    nnet3.request_input "x" <t = 0:1>
    nnet3.request_output "output" <t = 0:1>
  )");
  ComputationOp computation = compile();
  auto add = get<AddRowsMultiOp>(computation);
  EXPECT_EQ(str(add.getRows()), "#nnet3.row_table<0, 0 of 1>");
  EXPECT_EQ(add.getSources()[0], get<PropagateOp>(computation, 0).getOutput());
  EXPECT_EQ(add.getSources()[1], get<PropagateOp>(computation, 1).getOutput());
}

TEST_F(CommandEmitterTest, DebugInfo) {
  parse(kRecurrentNetwork, R"(
    nnet3.request_input "x" <n = 0:3, t = 0:1>
    nnet3.request_output "output" <n = 0:3, t = 1>
  )");
  CompileOptions options;
  options.debugInfo = true;
  ComputationOp computation = compile(options);
  auto accept = get<AcceptInputOp>(computation);
  EXPECT_EQ(str(accept->getAttr("nnet3.node")), "\"x\"");
  EXPECT_EQ(str(accept->getAttr("nnet3.indexes")),
            "#nnet3.indexes<n = 0:3, t = 0:1>");
  for (AllocMatrixZeroedOp op :
       computation.getBody().getOps<AllocMatrixZeroedOp>())
    EXPECT_EQ(cast<IndexesAttr>(op->getAttr("nnet3.indexes")).size(),
              cast<MemRefType>(op.getType()).getDimSize(0));
}

/// Statistics are stored for components that have them, and on request.
TEST_F(CommandEmitterTest, StoresStats) {
  parse(kRecurrentNetwork, R"(
    nnet3.request_input "x" <t = 0>
    nnet3.request_output "output" <t = 0>
  )");
  EXPECT_TRUE(compile().getBody().getOps<StoreStatsOp>().empty());
  getRequest().setStoreComponentStats(true);
  ComputationOp computation = compile();
  EXPECT_EQ(llvm::range_size(computation.getBody().getOps<StoreStatsOp>()), 1);
  EXPECT_EQ(str(get<StoreStatsOp>(computation).getComponent()), "@net::@tanh");
}
