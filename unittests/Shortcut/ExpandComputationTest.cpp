//===- ExpandComputationTest.cpp - Expanding computations -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Shortcut/ExpandComputation.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace mlir::nnet3;

namespace {

/// Expands commands; `STRIDE(n)` in the text stands for the attribute of a
/// matrix.
class ExpandComputationTest : public ::testing::Test {
protected:
  ExpandComputationTest() {
    context.loadDialect<Nnet3Dialect, memref::MemRefDialect>();
  }

  /// The first line with `what` of the commands for `numSequences` sequences,
  /// from there on; or the reason why there are none.
  std::string expand(std::string body, StringRef what,
                     int64_t numSequences = 4) {
    static const std::string stride = "STRIDE(";
    for (size_t at; (at = body.find(stride)) != std::string::npos;) {
      size_t end = body.find(')', at);
      std::string number =
          body.substr(at + stride.size(), end - at - stride.size());
      body.replace(at, end + 1 - at,
                   "{nnet3.sequence_stride = " + number + "}");
    }
    module = parseSourceString<ModuleOp>(
        R"(nnet3.network @net {
             %x = nnet3.input_node "x" : !nnet3.rows<1>
             nnet3.sigmoid @sigmoid {dim = 1}
             nnet3.tdnn @tdnn {input_dim = 1, output_dim = 1,
                               time_offsets = array<i64: 0>}
             nnet3.output_node "y", %x : !nnet3.rows<1>
           }
           nnet3.computation @c for @net {)" +
            body + "}",
        &context);
    if (!module)
      return "cannot be parsed";
    OpBuilder builder = OpBuilder::atBlockEnd(module->getBody());
    std::string reason, text;
    ComputationOp expanded =
        expandComputation(builder, *module->getOps<ComputationOp>().begin(),
                          numSequences, reason);
    if (!expanded)
      return reason;
    expanded.setSymName("expanded");
    EXPECT_TRUE(succeeded(verify(*module)));
    llvm::raw_string_ostream(text) << expanded;
    StringRef rest = text;
    rest = rest.substr(rest.find(what));
    return rest.take_until([](char c) { return c == '\n'; }).str();
  }

  MLIRContext context;
  OwningOpRef<ModuleOp> module;
};

/// Returns the text of a matrix of `rows` rows.
std::string matrix(StringRef name, int rows, int stride) {
  return ("%" + name + " = nnet3.alloc_matrix_zeroed STRIDE(" + Twine(stride) +
          ") : memref<" + Twine(rows) + "x1xf32>\n")
      .str();
}

} // namespace

/// Shortcut.md 5.4.
TEST_F(ExpandComputationTest, TheExample) {
  std::string matrices = matrix("s", 6, 1) + matrix("d", 4, 1);
  EXPECT_EQ(expand(matrices + "nnet3.add_rows %s <2:5> into %d : "
                              "memref<6x1xf32> into memref<4x1xf32>",
                   "<["),
            "<[2 x +4](4:7)> into %1 : memref<12x1xf32> into memref<8x1xf32>");
  EXPECT_EQ(expand(matrices + "%v = nnet3.sub_matrix %s[2, 0] : "
                              "memref<6x1xf32> to memref<4x1xf32, "
                              "strided<[1, 1], offset: 2>>",
                   "["),
            "[4, 0] : memref<12x1xf32> to memref<8x1xf32, strided<[1, 1], "
            "offset: 4>>");
}

/// Rows at a part of the frames: what is cut off the beginning of the first
/// sequence stays in the others.
TEST_F(ExpandComputationTest, PartsOfSequences) {
  EXPECT_EQ(
      expand(matrix("s", 4, 1) + matrix("d", 6, 3) +
                 "%v = nnet3.sub_matrix %d[1, 0] : memref<6x1xf32> to "
                 "memref<5x1xf32, strided<[1, 1], offset: 1>>\n"
                 "nnet3.add_rows %s <0, 2, _, 1, 3> into %v : memref<4x1xf32> "
                 "into memref<5x1xf32, strided<[1, 1], offset: 1>>",
             "<0", 3),
      "<0:3:3, [2 x +1](_, 1:4:3)> into %2 : memref<6x1xf32> into "
      "memref<8x1xf32, strided<[1, 1], offset: 1>>");
}

/// Each source has its own stride and first row.
TEST_F(ExpandComputationTest, SeveralSources) {
  EXPECT_EQ(
      expand(matrix("a", 4, 2) + matrix("b", 6, 1) + matrix("d", 4, 1) +
                 "%v = nnet3.sub_matrix %b[2, 0] : memref<6x1xf32> to "
                 "memref<4x1xf32, strided<[1, 1], offset: 2>>\n"
                 "nnet3.copy_rows_multi [%a, %v] <1, 3, 2 of 1, 3 of 1> into "
                 "%d : memref<4x1xf32>, memref<4x1xf32, strided<[1, 1], "
                 "offset: 2>> into memref<4x1xf32>",
             "<1", 3),
      "<1:5:2, 3:5 of 1> into %2 : memref<6x1xf32>, memref<6x1xf32, "
      "strided<[1, 1], offset: 3>> into memref<6x1xf32>");
}

/// The rows of a range keep their distance within a sequence; between blocks it
/// grows.
TEST_F(ExpandComputationTest, Ranges) {
  auto ranges = [&](int stride, StringRef tables) {
    return expand(matrix("s", 12, stride) + matrix("d", 2, 1) +
                      ("nnet3.add_row_ranges %s " + tables +
                       " into %d : memref<12x1xf32> into memref<2x1xf32>")
                          .str(),
                  "begin", 5);
  };
  StringRef rest = " into %1 : memref<30x1xf32> into memref<5x1xf32>";
  EXPECT_EQ(ranges(1, "begin <0, 1> end <11, 12> step 2"),
            ("begin <0:4> end <26:30> step 5" + rest).str());
  EXPECT_EQ(ranges(6, "begin <2, 8> end <6, 12>"),
            ("begin <2:26:6> end <6:30:6>" + rest).str());
  EXPECT_EQ(ranges(2, "begin <1, 3> end <5, 7> step 3"),
            ("begin <1:9:2> end <11:19:2> step 9" + rest).str());
  EXPECT_EQ(ranges(1, "begin <4, 5> end <5, 6>"),
            ("begin <10:14> end <11:15>" + rest).str());
  EXPECT_EQ(ranges(1, "begin <4, 5> end <5, 6> step 4"),
            ("begin <10:14> end <11:15> step 10" + rest).str());
  StringRef reason = "'nnet3.add_row_ranges' of the computation for two "
                     "sequences sums rows that are not the same for both, or "
                     "not equally spaced with more";
  // Rows of both sequences.
  EXPECT_EQ(ranges(1, "begin <0, 1> end <2, 3>"), reason);
  // Rows 0, 1 of one block and 0 of the next.
  EXPECT_EQ(ranges(2, "begin <0, 2> end <5, 7> step 2"), reason);
  EXPECT_EQ(ranges(1, "begin <0, 3> end <5, 8> step 2"), reason);
}

/// Commands that cannot be continued to more sequences.
TEST_F(ExpandComputationTest, Refused) {
  auto reason = [](StringRef op, StringRef why) {
    return ("'nnet3." + op + "' of the computation for two sequences " + why)
        .str();
  };
  EXPECT_EQ(expand("%a = nnet3.alloc_matrix_zeroed : memref<2x1xf32>", ""),
            reason("alloc_matrix_zeroed",
                   "has the rows of its sequences in no regular order"));
  EXPECT_EQ(expand(matrix("a", 6, 2), ""),
            reason("alloc_matrix_zeroed", "has not as many rows of both"));
  EXPECT_EQ(
      expand(matrix("a", 4, 1) +
                 "%v = nnet3.sub_matrix %a[1, 0] : memref<4x1xf32> to "
                 "memref<2x1xf32, strided<[1, 1], offset: 1>>",
             ""),
      reason("sub_matrix", "does not go from the first sequence to the last"));
  EXPECT_EQ(
      expand(matrix("a", 4, 1) + matrix("b", 4, 2) +
                 "nnet3.matrix_add %a into %b : memref<4x1xf32> into "
                 "memref<4x1xf32>",
             ""),
      reason("matrix_add", "takes rows of one sequence to rows of the other"));
  EXPECT_EQ(
      expand(matrix("a", 4, 1) + matrix("b", 4, 2) +
                 "nnet3.propagate @net::@sigmoid ins(%a : "
                 "memref<4x1xf32>) outs(%b : memref<4x1xf32>)",
             ""),
      reason("propagate", "takes rows of one sequence to rows of the other"));
  EXPECT_EQ(expand(matrix("a", 4, 1) + matrix("b", 4, 1) +
                       "nnet3.propagate @net::@tdnn ins(%a : memref<4x1xf32>) "
                       "outs(%b : memref<4x1xf32>) precomputed {row_offsets = "
                       "array<i64: 0>, row_stride = 1}",
                   ""),
            reason("propagate", "does not say which rows it is for"));
  EXPECT_EQ(expand(matrix("a", 6, 3) +
                       "%v = nnet3.sub_matrix %a[1, 0] : memref<6x1xf32> to "
                       "memref<5x1xf32, strided<[1, 1], offset: 1>>\n"
                       "nnet3.propagate @net::@tdnn ins(%v : memref<5x1xf32, "
                       "strided<[1, 1], offset: 1>>) outs(%a : "
                       "memref<6x1xf32>) precomputed {row_offsets = "
                       "array<i64: 0>, row_stride = 0}",
                   ""),
            reason("propagate", "has a part of the rows of a sequence"));
  for (StringRef table : {"<0, 3>", "<1, 0>", "<0, _>", "<_, 1>", "<2, 2>"})
    EXPECT_EQ(expand(matrix("a", 4, 1) + matrix("b", 2, 1) +
                         ("nnet3.copy_rows %a " + table +
                          " into %b : memref<4x1xf32> into memref<2x1xf32>")
                             .str(),
                     ""),
              reason("copy_rows", "has a table that is not the same for both"))
        << table.str();
  EXPECT_EQ(expand(matrix("a", 2, 1) + "nnet3.loop %round to 2 {}", ""),
            reason("loop", "is of a kind that cannot be expanded"));
}

/// A compressed matrix has the stride of its source.
TEST_F(ExpandComputationTest, Compression) {
  EXPECT_EQ(
      expand(matrix("a", 4, 1) +
                 "%c = nnet3.compress_matrix %a range 1.0 : memref<4x1xf32> "
                 "-> !nnet3.compressed<4x1xui8>\n"
                 "%b = nnet3.decompress_matrix %c : !nnet3.compressed<4x1xui8> "
                 "-> memref<4x1xf32>",
             "nnet3.decompress"),
      "nnet3.decompress_matrix %1 : !nnet3.compressed<8x1xui8> -> "
      "memref<8x1xf32>");
}
