//===- ChainExamplesTest.cpp - Chain examples, read and written -----------===//
#include "nnet3/Target/Kaldi/ChainExamples.h"
#include "DamageTestUtil.h"
#include "TestUtil.h"
#include "nnet3/Target/Kaldi/Reader.h"
#include "nnet3/Target/Kaldi/Writer.h"
#include "llvm/Support/raw_ostream.h"

using namespace nnet3;
using namespace nnet3::test;

namespace {
using Examples = std::vector<NnetChainExample>;

/// The examples of an archive, or the first error.
std::string readArchive(llvm::StringRef bytes, Examples &examples) {
  KaldiReader reader(bytes, "chain");
  std::string key;
  while (!reader.atEnd()) {
    NnetChainExample example;
    if (failed(reader.readKey(key)) || failed(reader.readHeader()) ||
        failed(readChainExample(reader, example)))
      return llvm::toString(reader.takeError());
    examples.push_back(std::move(example));
    reader.skipSpace();
  }
  return "";
}

std::string write(const NnetChainExample &example, bool binary) {
  std::string written;
  llvm::raw_string_ostream os(written);
  KaldiWriter writer(os, binary);
  writer.writeHeader();
  writeChainExample(writer, example);
  return written;
}

std::string rewriteBinary(const Examples &examples) {
  const char *keys[] = {"utt1-0 ", "utt2-0 "};
  std::string all;
  for (size_t i = 0; i < examples.size(); ++i)
    all += keys[i] + write(examples[i], /*binary=*/true);
  return all;
}

const std::string binaryArchive = slurp(inputPath("chain-egs.bin.ark"));
} // namespace

/// The graphs of the file were made by OpenFst's own programs.
TEST(ChainExamples, RewriteToTheSameBytes) {
  Examples examples;
  EXPECT_EQ(readArchive(binaryArchive, examples), "");
  ASSERT_EQ(examples.size(), 2u);
  EXPECT_EQ(rewriteBinary(examples), binaryArchive);
}

TEST(ChainExamples, Values) {
  Examples examples;
  EXPECT_EQ(readArchive(binaryArchive, examples), "");
  ASSERT_EQ(examples.size(), 2u);
  EXPECT_EQ(examples[0].inputs.size(), 2u);
  const ChainSupervision &first = examples[0].outputs.front();
  EXPECT_FALSE(first.endToEnd);
  EXPECT_FALSE(first.alignmentPdfs);
  ASSERT_EQ(first.graphs.size(), 1u);
  const CompactFst &graph = first.graphs.front();
  EXPECT_EQ(graph.start, 0);
  ASSERT_EQ(graph.states.size(), 4u);
  EXPECT_FALSE(graph.states[0].final);
  EXPECT_EQ(graph.states[0].arcs[1].label, 6);
  EXPECT_EQ(graph.states[0].arcs[1].target, 2);
  EXPECT_EQ(graph.states[1].arcs[0].weight, 1.25f);
  EXPECT_EQ(graph.states[3].final, 0.75f);
  EXPECT_EQ(first.derivativeWeights, std::vector<float>({1, 0.5}));

  const ChainSupervision &second = examples[1].outputs.front();
  EXPECT_TRUE(second.endToEnd);
  EXPECT_EQ(second.graphs.size(), 2u);
  EXPECT_EQ(second.alignmentPdfs, std::vector<int32_t>({3, 1, 4, 1}));
}

/// But for what OpenFst knows of the graphs beyond their arcs.
TEST(ChainExamples, TextReadsBack) {
  Examples examples, again;
  EXPECT_EQ(readArchive(binaryArchive, examples), "");
  std::string text;
  for (NnetChainExample &example : examples) {
    text += "key " + write(example, /*binary=*/false) + "\n";
    for (ChainSupervision &output : example.outputs)
      for (CompactFst &graph : output.graphs)
        graph.properties = CompactFst::kKnownProperties;
  }
  EXPECT_NE(text.find("<End2End> F \n0\t1\t5\t5\t0.5\n0\t2\t6\t6\n"),
            std::string::npos)
      << text;
  EXPECT_EQ(readArchive(text, again), "");
  EXPECT_EQ(rewriteBinary(again), rewriteBinary(examples));
}

/// Weights of derivatives as bytes, and none at all.
TEST(ChainExamples, OlderForms) {
  Examples examples, again;
  EXPECT_EQ(readArchive(slurp(inputPath("chain-egs-older.bin.ark")), examples),
            "");
  ASSERT_EQ(examples.size(), 2u);
  auto &weights = examples[0].outputs[0].derivativeWeights;
  ASSERT_TRUE(weights);
  ASSERT_EQ(weights->size(), 2u);
  EXPECT_FLOAT_EQ((*weights)[0], 1);
  EXPECT_FLOAT_EQ((*weights)[1], 0.2f);
  EXPECT_FALSE(examples[1].outputs[0].derivativeWeights);
  EXPECT_EQ(readArchive(rewriteBinary(examples), again), "");
  EXPECT_EQ(rewriteBinary(again), rewriteBinary(examples));
}

TEST(ChainExamples, DamagedFilesAreRefused) {
  for (size_t size = 8; size < binaryArchive.size(); ++size) {
    Examples examples;
    std::string error =
        readArchive(llvm::StringRef(binaryArchive).take_front(size), examples);
    // The end of the first example is not damage.
    EXPECT_TRUE(!error.empty() || examples.size() == 1) << size;
  }
}

/// Each text in place of the lines of a graph.
TEST(ChainExamples, GraphErrors) {
  auto getError = [](llvm::StringRef graph) {
    std::string text =
        ("<Nnet3ChainEg> <NumInputs> 1 <NnetIo> input <I1V> 1 <I1> 0 0 0 "
         "[ 1 ] </NnetIo> <NumOutputs> 1 <NnetChainSup> output <I1V> 1 <I1> 0 "
         "0 0 <Supervision> <Weight> 1 <NumSequences> 1 <FramesPerSeq> 1 "
         "<LabelDim> 9 <End2End> F " +
         graph + "</Supervision> </NnetChainSup> </Nnet3ChainEg> ")
            .str();
    KaldiReader reader(text, "chain");
    NnetChainExample example;
    (void)readChainExample(reader, example);
    return llvm::toString(reader.takeError());
  };
  EXPECT_EQ(getError("\n0 1 5 5 -0.5\n1\n\n"), "");
  EXPECT_EQ(getError("\n\n"), "");
  const std::pair<const char *, const char *> cases[] = {
      {"0 1 5 5\n\n", "expects a graph from the next line on, but got"},
      {"\n0 1 5\n\n", "expects 1, 2, 4 or 5 words in the line of a graph"},
      {"\n0 1 5 6\n\n", "expects the same input and output label, but got '5'"},
      {"\n0 -1 5 5\n\n", "expects a number of at least 0 in the line"},
      {"\n0 1 5 5 x\n\n", "expects a weight in the line of a graph"},
      {"\n0 90000 5 5\n\n", "expects states that are numbered from 0"},
      {"\n0 1 5 5", "expects 1, 2, 4 or 5 words in the line of a graph"},
  };
  for (auto [graph, message] : cases)
    EXPECT_NE(getError(graph).find(message), std::string::npos)
        << getError(graph);
}
