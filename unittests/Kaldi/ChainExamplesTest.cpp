//===- ChainExamplesTest.cpp - Chain examples, read and written -----------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "nnet3/Kaldi/Examples/ChainExamples.h"
#include "DamageTestUtil.h"
#include "TestUtil.h"
#include "nnet3/Kaldi/IO/Reader.h"
#include "nnet3/Kaldi/IO/Writer.h"
#include "llvm/Support/raw_ostream.h"
#include <map>

using namespace nnet3::kaldi;
using namespace nnet3::kaldi::test;

namespace {
using Examples = std::vector<NnetChainExample>;

/// Reads the examples of an archive; returns the first error.
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

/// Equal except for OpenFst's properties of the graphs.
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

/// Derivative weights as bytes, and none at all.
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

/// Each text replaces the lines of a graph.
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

//===----------------------------------------------------------------------===//
// Minibatches
//===----------------------------------------------------------------------===//

namespace {
/// Makes an example of two frames, each with one input, for `output`. Its graph
/// accepts `first` (at cost 0.5), then 7 or 8.
NnetChainExample makeExample(int32_t first, bool endToEnd = false) {
  NnetChainExample example;
  Matrix features(2, 1);
  features.data = {float(first), -1};
  example.inputs.push_back({"input", {{0, 0, 0}, {0, 1, 0}}, features});
  ChainSupervision &output = example.outputs.emplace_back();
  output.name = "output";
  output.indexes = {{0, 0, 0}, {0, 3, 0}};
  output.numSequences = 1;
  output.framesPerSequence = 2;
  output.labelDim = 9;
  output.endToEnd = endToEnd;
  CompactFst &graph = output.graphs.emplace_back();
  graph.start = 0;
  graph.states = {{std::nullopt, {{first, 0.5, 1}}},
                  {std::nullopt, {{7, 0, 2}, {8, 0.25, 2}}},
                  {2.0f, {}}};
  output.alignmentPdfs = std::vector<int32_t>{first, 7};
  output.derivativeWeights = std::vector<float>{1, float(first) / 10};
  return example;
}

std::string errorOfMerge(const NnetChainExample &a, const NnetChainExample &b) {
  auto merged = mergeExamples({&a, &b});
  return merged ? "" : llvm::toString(merged.takeError());
}

/// Lists what a graph accepts within `length` labels, and the costs.
void listAccepted(const CompactFst &graph, int64_t state, unsigned length,
                  std::string labels, float cost,
                  std::map<std::string, float> &accepted) {
  if (graph.states[state].final)
    accepted[labels] = cost + *graph.states[state].final;
  if (length == 0)
    return;
  for (const CompactFst::Arc &arc : graph.states[state].arcs)
    listAccepted(graph, arc.target, length - 1,
                 labels + std::to_string(arc.label), cost + arc.weight,
                 accepted);
}

std::map<std::string, float> listAccepted(const CompactFst &graph,
                                          unsigned length) {
  std::map<std::string, float> accepted;
  if (graph.start >= 0)
    listAccepted(graph, graph.start, length, "", 0, accepted);
  return accepted;
}
} // namespace

TEST(ChainExamples, MinibatchesHaveAllSequencesOfAFrame) {
  NnetChainExample a = makeExample(3), b = makeExample(5);
  ASSERT_EQ(describeStructure(a), describeStructure(b));
  auto merged = mergeExamples({&a, &b});
  ASSERT_TRUE(bool(merged));
  const NnetIo &input = merged->inputs.front();
  EXPECT_EQ(input.indexes, (std::vector<RowIndex>{
                               {0, 0, 0}, {0, 1, 0}, {1, 0, 0}, {1, 1, 0}}));
  EXPECT_EQ(toFull(input.features).data, (std::vector<float>{3, -1, 5, -1}));
  const ChainSupervision &output = merged->outputs.front();
  EXPECT_EQ(output.indexes, (std::vector<RowIndex>{
                                {0, 0, 0}, {1, 0, 0}, {0, 3, 0}, {1, 3, 0}}));
  EXPECT_EQ(output.numSequences, 2);
  EXPECT_EQ(output.framesPerSequence, 2);
  EXPECT_EQ(output.alignmentPdfs, (std::vector<int32_t>{3, 5, 7, 7}));
  EXPECT_EQ(output.derivativeWeights, (std::vector<float>{1, 1, 0.3f, 0.5f}));
  ASSERT_EQ(output.graphs.size(), 1u);
  EXPECT_EQ(listAccepted(output.graphs.front(), 5),
            (std::map<std::string, float>{
                {"3757", 5}, {"3758", 5.25}, {"3857", 5.25}, {"3858", 5.5}}));
  // The start of the second graph is gone.
  EXPECT_EQ(output.graphs.front().states.size(), 5u);
}

TEST(ChainExamples, EndToEndMinibatchesKeepTheGraphs) {
  NnetChainExample a = makeExample(3, true), b = makeExample(5, true);
  auto merged = mergeExamples({&a, &b});
  ASSERT_TRUE(bool(merged));
  const ChainSupervision &output = merged->outputs.front();
  ASSERT_EQ(output.graphs.size(), 2u);
  EXPECT_EQ(output.graphs[0].states[0].arcs[0].label, 3);
  EXPECT_EQ(output.graphs[1].states[0].arcs[0].label, 5);
  EXPECT_EQ(output.numSequences, 2);
}

/// Tests everything that must be equal within a minibatch.
TEST(ChainExamples, Structure) {
  std::string structure = describeStructure(makeExample(3));
  auto expectChange = [&](llvm::function_ref<void(ChainSupervision &)> change) {
    NnetChainExample example = makeExample(3);
    change(example.outputs.front());
    EXPECT_NE(describeStructure(example), structure);
  };
  expectChange([](ChainSupervision &output) { output.name = "output-xent"; });
  expectChange([](ChainSupervision &output) { output.weight = 0.1f; });
  expectChange([](ChainSupervision &output) { output.labelDim = 8; });
  expectChange([](ChainSupervision &output) { output.framesPerSequence = 1; });
  expectChange([](ChainSupervision &output) { output.endToEnd = true; });
  expectChange([](ChainSupervision &output) { output.indexes[1].t = 2; });
  expectChange([](ChainSupervision &output) { output.alignmentPdfs.reset(); });
  expectChange(
      [](ChainSupervision &output) { output.derivativeWeights.reset(); });
  NnetChainExample wider = makeExample(3);
  wider.inputs.front().features = Matrix(2, 2);
  EXPECT_NE(describeStructure(wider), structure);
}

TEST(ChainExamples, WhatCannotBeMerged) {
  NnetChainExample a = makeExample(3), b = makeExample(5);
  auto merged = mergeExamples({&a, &b});
  ASSERT_TRUE(bool(merged));
  EXPECT_EQ(errorOfMerge(*merged, *merged),
            "error: an example whose 'input' has n = 1 is a minibatch already");
  b.outputs.front().numSequences = 2;
  EXPECT_EQ(errorOfMerge(a, b), "error: an example whose 'output' has 2 "
                                "sequences is a minibatch already");
  a.outputs.front().derivativeWeights->pop_back();
  EXPECT_EQ(errorOfMerge(a, a), "error: expects a weight and a pdf for each of "
                                "the 2 rows of 'output', but got 1");
}

/// Selecting sequences of a minibatch is the inverse of merging.
TEST(ChainExamples, SequencesOfAMinibatch) {
  for (bool endToEnd : {false, true}) {
    NnetChainExample a = makeExample(3, endToEnd), b = makeExample(5, endToEnd),
                     c = makeExample(6, endToEnd);
    for (NnetChainExample *example : {&a, &b, &c})
      example->outputs[0].graphs[0].states[2].final = 0;
    auto all = mergeExamples({&a, &b, &c}), last = mergeExamples({&b, &c});
    ASSERT_TRUE(all && last);
    EXPECT_EQ(getNumSequences(*all), 3);
    auto taken = takeSequences(*all, 1, 2);
    ASSERT_TRUE(bool(taken));
    const auto &part = std::get<NnetChainExample>(*taken);
    EXPECT_EQ(describeStructure(part), describeStructure(*last));
    EXPECT_EQ(toFull(part.inputs[0].features).data,
              toFull(last->inputs[0].features).data);
    const ChainSupervision &output = part.outputs[0],
                           &expected = last->outputs[0];
    EXPECT_EQ(output.derivativeWeights, expected.derivativeWeights);
    EXPECT_EQ(output.alignmentPdfs, expected.alignmentPdfs);
    EXPECT_EQ(output.numSequences, 2);
    ASSERT_EQ(output.graphs.size(), expected.graphs.size());
    for (size_t i = 0; i < output.graphs.size(); ++i)
      EXPECT_EQ(listAccepted(output.graphs[i], 4),
                listAccepted(expected.graphs[i], 4));
  }
}

TEST(ChainExamples, GraphsThatCannotBeCut) {
  NnetChainExample a = makeExample(3), b = makeExample(5);
  auto getError = [](const NnetChainExample &example) {
    auto part = takeSequences(example, 1, 1);
    return part ? "" : llvm::toString(part.takeError());
  };
  auto merged = mergeExamples({&a, &b});
  ASSERT_TRUE(bool(merged));
  EXPECT_EQ(getError(*merged), "");
  merged->outputs[0].framesPerSequence = 3;
  EXPECT_EQ(getError(*merged), "error: the graph of 'output' expects 6 frames "
                               "on each path of a graph, but got 4");
  EXPECT_EQ(getError(a), "error: 'output' has rows of more than its 1 "
                         "sequences");
}

//===----------------------------------------------------------------------===//
// Graphs
//===----------------------------------------------------------------------===//

/// Final states with arcs, a final start state, and arcs to it.
TEST(CompactFst, ConcatenationAcceptsOneAfterTheOther) {
  CompactFst front, back;
  // 1, or 1 and any number of 2.
  front.start = 1;
  front.states = {{0.5f, {{2, 1, 0}}}, {std::nullopt, {{1, 2, 0}}}};
  // Any number of 3 and 4 in turn.
  back.start = 1;
  back.states = {{std::nullopt, {{4, 8, 1}}}, {16.0f, {{3, 4, 0}}}};
  auto both = concatenate({front, back});
  ASSERT_TRUE(bool(both));
  EXPECT_EQ(both->start, 0);
  EXPECT_EQ(both->properties, getProperties(*both));
  EXPECT_EQ(listAccepted(*both, 4),
            (std::map<std::string, float>{{"1", 18.5},
                                          {"12", 19.5},
                                          {"122", 20.5},
                                          {"1222", 21.5},
                                          {"134", 30.5},
                                          {"1234", 31.5}}));
}

TEST(CompactFst, NothingFollowsTheEmptyGraph) {
  CompactFst one, empty;
  one.start = 0;
  one.states = {{0.0f, {}}};
  for (auto &graphs : {std::vector{one, empty, one}, std::vector{empty, one}}) {
    auto all = concatenate(graphs);
    ASSERT_TRUE(bool(all));
    EXPECT_EQ(all->start, -1);
    EXPECT_TRUE(all->states.empty());
  }
}

TEST(CompactFst, ConcatenationIsNotTooLarge) {
  CompactFst many;
  many.start = 0;
  many.states.resize(1 << 14, {0.0f, {}});
  many.states.front().arcs.resize(1 << 13, {1, 0, 1});
  auto all = concatenate({many, many});
  ASSERT_FALSE(bool(all));
  EXPECT_EQ(llvm::toString(all.takeError()),
            "error: expects at most 67108864 arcs in the graph of a minibatch, "
            "but got 134234112");
}
