//===- ComputationFileTest.cpp - Kaldi's computations and caches ----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The files are composed by the spec (formats.md 8.2 and 9), with every kind of
// precomputed indexes.
//
//===----------------------------------------------------------------------===//
#include "nnet3/Kaldi/Examples/ComputationFile.h"
#include "DamageTestUtil.h"
#include "TestUtil.h"
#include "nnet3/Kaldi/IO/Writer.h"
#include "llvm/Support/raw_ostream.h"

using namespace nnet3::kaldi;
using namespace nnet3::kaldi::test;

namespace {
template <typename T> struct Functions {
  llvm::LogicalResult (*read)(KaldiReader &, T &);
  void (*write)(KaldiWriter &, const T &);
};

std::string getFile(llvm::StringRef name) {
  return slurp((NNET3_TEST_INPUTS "/fuzz/computation/" + name).str());
}

/// Returns the error, or an empty string.
template <typename T>
std::string readFile(llvm::StringRef bytes, Functions<T> functions, T &value) {
  KaldiReader reader(bytes, "file");
  (void)reader.readHeader();
  (void)functions.read(reader, value);
  return llvm::toString(reader.takeError());
}

template <typename T>
std::string writeFile(const T &value, Functions<T> functions, bool binary) {
  std::string written;
  llvm::raw_string_ostream os(written);
  KaldiWriter writer(os, binary);
  writer.writeHeader();
  functions.write(writer, value);
  return written;
}

/// Checks that a binary file is rewritten to the same bytes, also through text,
/// and that a shorter file is rejected.
template <typename T> void check(llvm::StringRef name, Functions<T> functions) {
  std::string bytes = getFile(name);
  T value, again;
  ASSERT_EQ(readFile(bytes, functions, value), "");
  EXPECT_TRUE(writeFile(value, functions, /*binary=*/true) == bytes);
  std::string text = writeFile(value, functions, /*binary=*/false);
  ASSERT_EQ(readFile(text, functions, again), "") << text;
  EXPECT_TRUE(writeFile(again, functions, /*binary=*/true) == bytes) << text;
  expectOnlyWholeRead(bytes, bytes.size(), [&](llvm::StringRef contents) {
    T part;
    return readFile(contents, functions, part).empty();
  });
}

const Functions<KaldiRequest> request{readRequest, writeRequest};
const Functions<KaldiComputation> computation{readComputation,
                                              writeComputation};
const Functions<KaldiComputationCache> cache{readComputationCache,
                                             writeComputationCache};
} // namespace

TEST(ComputationFile, Request) { check("request", request); }
TEST(ComputationFile, Computation) { check("computation", computation); }
TEST(ComputationFile, Cache) { check("cache", cache); }

TEST(ComputationFile, Values) {
  KaldiComputation value;
  ASSERT_EQ(readFile(getFile("computation"), computation, value), "");
  ASSERT_EQ(value.matrices.size(), 2u);
  EXPECT_EQ(value.matrices[1].cols, 40);
  EXPECT_TRUE(value.matrices[1].strideEqualsCols);
  // A step of 124 in the first row; the next sequence; the same row of another
  // node; a row that is spelled out.
  const auto &cindexes = value.debug[1].cindexes;
  ASSERT_EQ(cindexes.size(), 6u);
  EXPECT_TRUE(cindexes[0] == std::make_pair(1, RowIndex{0, 124, 0}));
  EXPECT_TRUE(cindexes[2] == std::make_pair(1, RowIndex{1, 0, 0}));
  EXPECT_TRUE(cindexes[4] == std::make_pair(3, RowIndex{1, 5, 0}));
  EXPECT_TRUE(cindexes[5] == std::make_pair(3, RowIndex{2, 9, 1}));
  EXPECT_EQ(value.precomputed.size(), 9u);
  EXPECT_EQ(value.precomputed[0].type, "Tdnn");
  EXPECT_EQ(std::get<std::vector<int32_t>>(value.precomputed[0].values[1]),
            std::vector<int32_t>({0, 2}));
  EXPECT_EQ(value.commands[2].alpha, 0.5f);
  EXPECT_EQ(value.commands[2].args, std::vector<int32_t>({1, 1}));
  EXPECT_TRUE(value.needModelDerivative);
}

TEST(ComputationFile, TextOfCommands) {
  KaldiComputation value;
  ASSERT_EQ(readFile(getFile("computation"), computation, value), "");
  std::string text = writeFile(value, computation, /*binary=*/false);
  EXPECT_NE(text.find("<Cmd> kMatrixAdd \n<Alpha> 0.5 <Args> 1 1 -1 -1 -1 -1 "
                      "-1 </Cmd> \n"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("<I1V> 6 [1 :<I1> 0 124 0 "), std::string::npos) << text;
}

TEST(ComputationFile, Errors) {
  auto getError = [](llvm::StringRef text) {
    KaldiComputation value;
    std::string error = readFile(text, computation, value);
    return error.substr(error.find("error: "));
  };
  EXPECT_EQ(getError("<NnetComputation> <Version> 4 "),
            "error: expects a computation of version 5, but got 4");
  EXPECT_EQ(getError("<NnetComputation> <Version> 5 <NumMatrices> -1 "),
            "error: expects a size of at least 0, but got -1");
  std::string head =
      "<NnetComputation> <Version> 5 <NumMatrices> 0 <Matrices> "
      "<NumMatrixDebugInfo> 0 <MatrixDebugInfo> <NumSubMatrices> 0 "
      "<SubMatrices> <NumComponentPrecomputedIndexes> ";
  EXPECT_EQ(getError(head + "2 <PrecomputedIndexesInfo> "
                            "<AffineComponentPrecomputedIndexes> "),
            "error: expects the indexes of a component, but got "
            "'<AffineComponentPrecomputedIndexes>'");
  EXPECT_EQ(getError(head + "0 <PrecomputedIndexesInfo> "),
            "error: expects a size of at least 1");
  head += "1 <PrecomputedIndexesInfo> <NumIndexes> 0 <Indexes> "
          "<NumIndexesMulti> 0 <IndexesMulti> <NumIndexesRanges> 0 "
          "<IndexesRanges> <NumCommands> 1 <Commands> <Cmd> ";
  EXPECT_EQ(getError(head + "kCopy "),
            "error: expects a command, but got 'kCopy'");
}
