//===- RequestStrideTest.cpp - Strides of requests ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Shortcut/RequestStride.h"
#include "nnet3/Shortcut/MiniRequest.h"

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace mlir::nnet3;

namespace {

class RequestStrideTest : public ::testing::Test {
protected:
  RequestStrideTest() { context.loadDialect<Nnet3Dialect>(); }

  /// Text as in `#nnet3.indexes<text>`.
  IndexesAttr parse(StringRef text) {
    return cast<IndexesAttr>(
        parseAttribute(("#nnet3.indexes<" + text + ">").str(), &context));
  }

  /// `stride of number`, or the reason why there is none.
  std::string find(StringRef text) {
    std::string reason;
    auto stride = findSequenceStride(parse(text), reason);
    return stride ? std::to_string(stride->stride) + " of " +
                        std::to_string(stride->numSequences)
                  : reason;
  }

  /// The same rows one by one, which are to have the same stride.
  std::string findOfList(StringRef text) {
    SmallVector<int32_t> list;
    for (const Index &index : parse(text).expand())
      llvm::append_values(list, index.n, index.t, index.x);
    std::string reason;
    auto stride =
        findSequenceStride(IndexesAttr::get(&context, {}, {}, {}, RowOrder::NT,
                                            ArrayRef<int32_t>(list)),
                           reason);
    return stride ? std::to_string(stride->stride) + " of " +
                        std::to_string(stride->numSequences)
                  : reason;
  }

  MLIRContext context;
};

} // namespace

/// The layouts of the specification.
TEST_F(RequestStrideTest, Layouts) {
  EXPECT_EQ(find("n = 0:2, t = 0:3, order = tn"), "1 of 3");
  EXPECT_EQ(find("n = 0:2, t = 0:3"), "4 of 3");
  EXPECT_EQ(find("n = 0:2, t = 0:3, x = 0:1"), "8 of 3");
  EXPECT_EQ(find("n = 0:2, t = 0:3, x = 0:1, order = tn"), "2 of 3");
  EXPECT_EQ(find("n = 0:2, t = 0:3, x = 0:1, order = txn"), "1 of 3");
  EXPECT_EQ(find("[(0, 0), (0, 1), (1, 0), (1, 1), (2, 0), (2, 1), "
                 "(0, 2), (0, 3), (1, 2), (1, 3), (2, 2), (2, 3)]"),
            "2 of 3");
  EXPECT_EQ(find("n = 0, t = 0:3"), "4 of 1");
}

/// A list has the same stride as the equal Cartesian product.
TEST_F(RequestStrideTest, ListsAndProductsAgree) {
  for (StringRef order : {"nt", "tn", "txn"})
    for (StringRef n : {"0:1", "0:2", "0:6"})
      for (StringRef t : {"0", "-3:2", "0:9:3"})
        for (StringRef x : {"0", "0:2"}) {
          std::string text =
              ("n = " + n + ", t = " + t + ", x = " + x + ", order = " + order)
                  .str();
          EXPECT_EQ(find(text), findOfList(text)) << text;
        }
}

/// Blank rows count; the first row may be blank.
TEST_F(RequestStrideTest, BlankRows) {
  EXPECT_EQ(find("[(0, _), (0, 1), (1, _), (1, 1), (2, _), (2, 1)]"), "2 of 3");
  EXPECT_EQ(find("[(0, _), (0, _), (1, _), (1, _), (2, _), (2, _)]"), "2 of 3");
  EXPECT_EQ(find("[(0, 0), (1, _), (2, 0)]"),
            "has (1, _) as row 1, where (1, 0) is expected");
}

/// Requests that the shortcut does not support.
TEST_F(RequestStrideTest, Irregular) {
  EXPECT_EQ(find("n = 1:4, t = 0"), "lists n = 1 where n = 0 is expected");
  EXPECT_EQ(find("n = [0, 2], t = 0"), "lists n = 2 where n = 1 is expected");
  EXPECT_EQ(find("[(1, 0), (2, 0), (3, 5)]"),
            "begins with n = 1 instead of n = 0");
  EXPECT_EQ(find("[(0, 0), (0, 1), (1, 0)]"),
            "ends with n = 1, but its 3 rows are not as many for each n up to "
            "that");
  EXPECT_EQ(find("[(0, 0), (2, 0), (1, 1), (2, 1), (0, 1), (2, 5)]"),
            "has (2, 0) as row 1, where (1, 0) is expected");
  EXPECT_EQ(find("[(0, 0), (1, 1), (0, 5)]"),
            "has (1, 1) as row 1, where (0, 1) is expected");
  EXPECT_EQ(find("[(0, 0), (-1, 1)]"),
            "ends with n = -1, but its 2 rows are not as many for each n up to "
            "that");
  // No number of sequences is too large to be refused.
  EXPECT_EQ(find("[(0, 0), (2147483647, 0)]"),
            "ends with n = 2147483647, but its 2 rows are not as many for each "
            "n up to that");
}

/// The example of shortcut.md 4, with flags and names of a request.
TEST_F(RequestStrideTest, MiniRequest) {
  OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(
      R"(nnet3.network @net {
           %x = nnet3.input_node "x" : !nnet3.rows<1>
           nnet3.output_node "y", %x : !nnet3.rows<1>
         }
         nnet3.request @r for @net need_model_derivative {
           nnet3.request_input "x" <[(0, 1), (0, 7), (1, 1), (1, 7), (2, 1),
             (2, 7), (3, 1), (3, 7)]> deriv
           nnet3.request_output "y" <n = 0:3, t = [1, 7], order = tn> deriv
         })",
      &context);
  ASSERT_TRUE(module);
  RequestOp request = *module->getOps<RequestOp>().begin();
  Obstacle obstacle;
  EXPECT_EQ(getNumSequences(request, obstacle), 4);
  OwningOpRef<RequestOp> mini = createMiniRequest(request);
  EXPECT_TRUE(mini->getNeedModelDerivative());
  auto input = *mini->getBody().getOps<RequestInputOp>().begin();
  EXPECT_EQ(input.getName(), "x");
  EXPECT_TRUE(input.getHasDeriv());
  EXPECT_EQ(input.getIndexes(), parse("n = 0:1, t = [1, 7]"));
  auto output = *mini->getBody().getOps<RequestOutputOp>().begin();
  EXPECT_EQ(output.getIndexes(), parse("n = 0:1, t = [1, 7], order = tn"));
}
