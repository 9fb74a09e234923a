//===- ExamplesTest.cpp - Training examples -------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "nnet3/Kaldi/Examples/Examples.h"
#include "TempDir.h"
#include "TestUtil.h"
#include "nnet3/Kaldi/Tables/Tables.h"

using namespace nnet3::kaldi;
using namespace nnet3::kaldi::test;

namespace {
/// Returns the examples of an archive.
std::vector<NnetExample> readArchive(const std::string &name) {
  auto table = SequentialTableReader<NnetExample>::open("ark:" + name);
  std::vector<NnetExample> examples;
  EXPECT_TRUE(bool(table));
  while (true) {
    llvm::Expected<bool> more = (*table)->next();
    if (!more)
      ADD_FAILURE() << llvm::toString(more.takeError());
    else if (*more) {
      examples.push_back((*table)->getValue());
      continue;
    }
    return examples;
  }
}

/// Writes the archive `name` again, with `options`.
std::string rewriteArchive(const std::string &name, const char *options,
                           unsigned digits = 9) {
  TempDir dir;
  TableOptions tableOptions;
  tableOptions.digits = digits;
  auto from = SequentialTableReader<NnetExample>::open("ark:" + name);
  auto to = TableWriter<NnetExample>::open(options + (":" + dir.path("out")),
                                           tableOptions);
  EXPECT_TRUE(bool(from) && bool(to));
  while (true) {
    llvm::Expected<bool> more = (*from)->next();
    if (!more) {
      ADD_FAILURE() << llvm::toString(more.takeError());
      break;
    }
    if (!*more)
      break;
    EXPECT_FALSE((*to)->write((*from)->getKey(), (*from)->getValue()));
  }
  EXPECT_FALSE((*to)->close());
  return slurp(dir.path("out"));
}

TEST(Examples, GoldenArchivesRewriteToTheSameBytes) {
  std::string binary = inputPath("egs.bin.ark"),
              text = inputPath("egs.text.ark");
  EXPECT_EQ(rewriteArchive(binary, "ark"), slurp(binary));
  EXPECT_EQ(rewriteArchive(text, "ark,t"), slurp(text));
  EXPECT_EQ(rewriteArchive(binary, "ark,t"), slurp(text));
  EXPECT_EQ(rewriteArchive(text, "ark"), slurp(binary));
}

TEST(Examples, CompressedFeaturesStaySo) {
  std::string binary = inputPath("egs-compressed.bin.ark"),
              text = inputPath("egs-compressed.text.ark");
  EXPECT_EQ(rewriteArchive(binary, "ark"), slurp(binary));
  // The reference writes 7 digits.
  EXPECT_EQ(rewriteArchive(binary, "ark,t", 7), slurp(text));
}

TEST(Examples, CompressingGivesTheReferencesBytes) {
  auto plain = readArchive(inputPath("egs.bin.ark"));
  auto compressed = readArchive(inputPath("egs-compressed.bin.ark"));
  ASSERT_EQ(plain.size(), compressed.size());
  for (size_t i = 0; i < plain.size(); ++i) {
    for (NnetIo &io : plain[i].io)
      compressIo(io);
    for (size_t k = 0; k < 2; ++k) {
      auto *ours = std::get_if<CompressedMatrix>(&plain[i].io[k].features);
      auto *theirs =
          std::get_if<CompressedMatrix>(&compressed[i].io[k].features);
      ASSERT_TRUE(ours && theirs);
      EXPECT_EQ(ours->body, theirs->body);
    }
  }
}

/// Makes an example of `rows` frames of one value, with one class each.
NnetExample makeExample(int32_t rows, float value) {
  NnetExample example;
  Matrix features(rows, 1);
  SparseMatrix classes;
  classes.cols = 3;
  std::vector<RowIndex> indexes;
  for (int32_t t = 0; t < rows; ++t) {
    features(t, 0) = value;
    classes.rows.push_back({{t % 3, value}});
    indexes.push_back({0, t, 0});
  }
  example.io.push_back({"input", indexes, features});
  example.io.push_back({"output", indexes, classes});
  return example;
}

llvm::Expected<NnetExample> merge(const NnetExample &a, const NnetExample &b) {
  return mergeExamples({&a, &b});
}

TEST(Examples, MergedRowsLieBehindEachOther) {
  auto merged = merge(makeExample(2, 5), makeExample(2, 7));
  ASSERT_TRUE(bool(merged));
  const NnetIo &input = merged->io[0], &output = merged->io[1];
  EXPECT_EQ(input.indexes, (std::vector<RowIndex>{
                               {0, 0, 0}, {0, 1, 0}, {1, 0, 0}, {1, 1, 0}}));
  EXPECT_EQ(toFull(input.features).data, (std::vector<float>{5, 5, 7, 7}));
  EXPECT_EQ(output.indexes, input.indexes);
  ASSERT_TRUE(std::holds_alternative<SparseMatrix>(output.features));
  EXPECT_EQ(toFull(output.features).data,
            (std::vector<float>{5, 0, 0, 0, 5, 0, 7, 0, 0, 0, 7, 0}));
}

TEST(Examples, AMinibatchIsNotMergedAgain) {
  auto merged = merge(makeExample(2, 5), makeExample(2, 7));
  ASSERT_TRUE(bool(merged));
  auto again = merge(*merged, *merged);
  ASSERT_FALSE(bool(again));
  EXPECT_EQ(llvm::toString(again.takeError()),
            "error: an example whose 'input' has n = 1 is a minibatch already");
}

TEST(Examples, Structure) {
  NnetExample example = makeExample(2, 5);
  std::string structure = describeStructure(example);
  EXPECT_EQ(structure, describeStructure(makeExample(2, 7)));
  EXPECT_NE(structure, describeStructure(makeExample(3, 5)));
  NnetExample renamed = example;
  renamed.io[0].name = "ivector";
  EXPECT_NE(structure, describeStructure(renamed));
  NnetExample wider = example;
  wider.io[0].features = Matrix(2, 2);
  EXPECT_NE(structure, describeStructure(wider));
}

/// Returns the error of reading an example in text.
std::string errorOfExample(llvm::StringRef text) {
  return errorOf(text, [](KaldiReader &reader) {
    NnetExample example;
    (void)readExample(reader, example);
  });
}

TEST(Examples, Errors) {
  EXPECT_EQ(errorOfExample("<Nnet3Eg> <NumIo> 0 </Nnet3Eg> "),
            "input:1:19: error: expects between 1 and 1000000 inputs and "
            "outputs, but got 0");
  EXPECT_EQ(errorOfExample("<Nnet3Eg> <NumIo> 1 <NnetIo> a <I1V> 2 <I1> 0 0 0 "
                           "<I1> 0 1 0  [ 1 ]\n</NnetIo> </Nnet3Eg> "),
            "input:1:63: error: expects a row for each of 2 indexes of 'a', "
            "but got 1");
  EXPECT_EQ(errorOfExample("<Nnet3Eg> <NumIo> 2 "
                           "<NnetIo> a <I1V> 1 <I1> 0 0 0  [ 1 ]\n</NnetIo> "
                           "<NnetIo> a <I1V> 1 <I1> 0 0 0  [ 1 ]\n</NnetIo> "
                           "</Nnet3Eg> "),
            "input:3:1: error: 'a' comes twice in an example");
}
} // namespace
