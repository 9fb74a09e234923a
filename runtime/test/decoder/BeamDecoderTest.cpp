//===- BeamDecoderTest.cpp - Decoding against OpenFst's search ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/runtime/decoder/BeamDecoder.h"

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fst/fstlib.h>
#include <fst/matcher-fst.h>
#include <fstream>
#include <gtest/gtest.h>
#include <random>

using namespace nnet3::rt;
using Graph = fst::StdVectorFst;
using Scores = std::vector<std::vector<float>>;

namespace {

constexpr int kLabels = 6, kWords = 5, kOutputs = 4;
/// A disambiguation symbol, which consumes no frame.
constexpr int kDisambiguation = kLabels + 1;
/// Two transition-ids for each of two outputs.
const std::vector<int32_t> kOutputOf = {-1, 0, 1, 2, 3, 0, 1};

class Draws {
public:
  explicit Draws(unsigned seed) : generator(seed) {}
  int integer(int count) { return static_cast<int>(generator() % count); }
  float cost() { return static_cast<float>(integer(3000)) / 1000; }

private:
  std::minstd_rand generator;
};

/// Transitions to later states may read nothing, others read a label.
Graph makeGraph(unsigned seed) {
  Draws draws(seed);
  constexpr int kStates = 12;
  Graph graph;
  for (int s = 0; s < kStates; ++s)
    graph.AddState();
  graph.SetStart(0);
  for (int s = 0; s < kStates; ++s)
    for (int i = 0; i < 4; ++i) {
      const int to = draws.integer(kStates);
      int label = 1 + draws.integer(kLabels);
      if (to > s && draws.integer(3) == 0)
        label = draws.integer(2) == 0 ? 0 : kDisambiguation;
      const int word = draws.integer(2) == 0 ? 0 : 1 + draws.integer(kWords);
      graph.AddArc(s, {label, word, draws.cost(), to});
    }
  graph.SetFinal(3, 0.5);
  graph.SetFinal(7, 0.25);
  return graph;
}

Scores makeScores(int numFrames, unsigned seed) {
  Draws draws(seed);
  Scores scores(numFrames, std::vector<float>(kOutputs));
  for (auto &frame : scores)
    for (float &score : frame)
      score = -draws.cost();
  return scores;
}

/// The words of the best path by OpenFst, and its cost.
std::vector<int32_t> searchByFst(Graph graph, const Scores &scores, float scale,
                                 double &cost) {
  for (fst::StateIterator<Graph> states(graph); !states.Done(); states.Next())
    for (fst::MutableArcIterator<Graph> arcs(&graph, states.Value());
         !arcs.Done(); arcs.Next()) {
      fst::StdArc arc = arcs.Value();
      arc.ilabel = arc.ilabel == kDisambiguation ? 0 : arc.ilabel;
      arcs.SetValue(arc);
    }
  Graph frames;
  frames.SetStart(frames.AddState());
  for (const auto &frame : scores) {
    const int to = frames.AddState();
    for (int label = 1; label <= kLabels; ++label)
      frames.AddArc(to - 1,
                    {label, label, -scale * frame[kOutputOf[label]], to});
  }
  frames.SetFinal(frames.NumStates() - 1, 0);
  fst::ArcSort(&graph, fst::ILabelCompare<fst::StdArc>());
  Graph composed, best;
  fst::Compose(frames, graph, &composed);
  fst::ShortestPath(composed, &best);
  std::vector<int32_t> words;
  cost = 0;
  int state = best.Start();
  if (state == fst::kNoStateId)
    return {-1};
  while (best.NumArcs(state) > 0) {
    const fst::StdArc arc = fst::ArcIterator<Graph>(best, state).Value();
    cost += arc.weight.Value();
    if (arc.olabel != 0)
      words.push_back(arc.olabel);
    state = arc.nextstate;
  }
  cost += best.Final(state).Value();
  return words;
}

DecodingGraph wrap(const StdGraph &graph) {
  return DecodingGraph(std::unique_ptr<StdGraph>(graph.Copy()),
                       {kDisambiguation}, {"", "a", "b"});
}

TEST(BeamDecoderTest, FindsTheBestPath) {
  for (unsigned seed = 1; seed <= 40; ++seed) {
    const Graph graph = makeGraph(seed);
    const Scores scores = makeScores(1 + int(seed % 15), seed);
    DecoderOptions options;
    options.beam = 1000;
    options.acousticScale = 0.7f;
    const DecodingGraph wrapped = wrap(graph);
    BeamDecoder decoder(wrapped, kOutputOf, options);
    double cost;
    const auto expected = searchByFst(graph, scores, 0.7f, cost);
    for (int utterance = 0; utterance < 2; ++utterance) {
      decoder.begin();
      for (const auto &frame : scores)
        decoder.advance(frame.data());
      if (expected == std::vector<int32_t>{-1})
        continue;
      EXPECT_NEAR(decoder.getBestCost(/*isEnd=*/true), cost, 1e-4) << seed;
      EXPECT_EQ(decoder.getBestWords(/*isEnd=*/true), expected) << seed;
    }
    EXPECT_FALSE(decoder.sawWrongLabel());
  }
}

TEST(BeamDecoderTest, PrunesWhatIsWorse) {
  const Graph graph = makeGraph(2);
  const DecodingGraph wrapped = wrap(graph);
  const Scores scores = makeScores(30, 5);
  const auto countTokens = [&](float beam, int32_t maxActive) {
    DecoderOptions options;
    options.beam = beam;
    options.maxActive = maxActive;
    options.minActive = 1;
    BeamDecoder decoder(wrapped, kOutputOf, options);
    int64_t count = 0;
    for (const auto &frame : scores) {
      decoder.advance(frame.data());
      count += decoder.getNumTokens();
    }
    EXPECT_TRUE(std::isfinite(decoder.getBestCost(/*isEnd=*/false)));
    return count;
  };
  EXPECT_LT(countTokens(1, 1000), countTokens(1000, 1000));
  EXPECT_LT(countTokens(1000, 2), countTokens(1000, 1000));
}

/// Words of the input and output, as many as there are of each.
Graph makeLexicon() {
  // Word w is the labels w and w + 1, which may stand for several frames.
  Graph graph;
  graph.SetStart(graph.AddState());
  graph.SetFinal(0, 0);
  for (int word = 1; word <= kWords; ++word) {
    const int first = graph.AddState(), second = graph.AddState();
    graph.AddArc(0, {word, word, 0.1f, first});
    graph.AddArc(first, {word, 0, 0.2f, first});
    graph.AddArc(first, {word + 1, 0, 0.3f, second});
    graph.AddArc(second, {word + 1, 0, 0.2f, second});
    graph.AddArc(second, {kDisambiguation, 0, 0, 0});
  }
  return graph;
}

Graph makeGrammar(unsigned seed) {
  Draws draws(seed);
  Graph graph;
  for (int s = 0; s < 4; ++s) {
    graph.AddState();
    graph.SetFinal(s, draws.cost());
  }
  graph.SetStart(0);
  for (int s = 0; s < 4; ++s)
    for (int word = 1; word <= kWords; ++word)
      if (draws.integer(3) > 0)
        graph.AddArc(s, {word, word, draws.cost(), draws.integer(4)});
  return graph;
}

TEST(BeamDecoderTest, ComposesOnTheFly) {
  for (unsigned seed = 1; seed <= 10; ++seed) {
    const Graph lexicon = makeLexicon();
    Graph grammar = makeGrammar(seed);
    Graph whole, sorted = grammar;
    fst::ArcSort(&sorted, fst::ILabelCompare<fst::StdArc>());
    fst::Compose(lexicon, sorted, &whole);
    // As Kaldi makes HCLr.fst and Gr.fst.
    const fst::StdOLabelLookAheadFst ahead(lexicon);
    fst::LabelLookAheadRelabeler<fst::StdArc>::Relabel(&grammar, ahead,
                                                       /*relabel_input=*/true);
    fst::ArcSort(&grammar, fst::ILabelCompare<fst::StdArc>());
    const DecodingGraph composed(DecodingGraph::compose(ahead, grammar),
                                 {kDisambiguation}, {});
    DecoderOptions options;
    options.beam = 1000;
    BeamDecoder decoder(composed, kOutputOf, options);
    const Scores scores = makeScores(9, seed);
    for (const auto &frame : scores)
      decoder.advance(frame.data());
    double cost;
    const auto expected = searchByFst(whole, scores, 1, cost);
    if (expected == std::vector<int32_t>{-1})
      continue;
    // Weights that are moved forward are rounded.
    EXPECT_NEAR(decoder.getBestCost(/*isEnd=*/true), cost, 0.01) << seed;
    EXPECT_EQ(decoder.getBestWords(/*isEnd=*/true), expected) << seed;
  }
}

/// Files of a graph.
class GraphFolder {
public:
  GraphFolder() {
    char name[] = "/tmp/nnet3-graph-XXXXXX";
    EXPECT_NE(mkdtemp(name), nullptr);
    folder = name;
  }
  ~GraphFolder() { std::filesystem::remove_all(folder); }

  std::string getPath(const std::string &file) const {
    return folder + "/" + file;
  }
  void write(const std::string &file, const std::string &text) const {
    std::ofstream(getPath(file)) << text;
  }
  std::string getError() const {
    std::string error;
    DecodingGraph::read(folder, error);
    if (const size_t at = error.find(folder); at != std::string::npos)
      error.replace(at, folder.size(), "FOLDER");
    return error;
  }

  std::string folder;
};

TEST(DecodingGraphTest, ReadsGraphsToCompose) {
  const GraphFolder folder;
  const Graph lexicon = makeLexicon();
  Graph grammar = makeGrammar(1);
  const fst::StdOLabelLookAheadFst ahead(lexicon);
  fst::LabelLookAheadRelabeler<fst::StdArc>::Relabel(&grammar, ahead,
                                                     /*relabel_input=*/true);
  fst::ArcSort(&grammar, fst::ILabelCompare<fst::StdArc>());
  fst::SymbolTable symbols;
  for (const char *word : {"<eps>", "a", "b", "c", "d", "e"})
    symbols.AddSymbol(word);
  grammar.SetOutputSymbols(&symbols);
  EXPECT_TRUE(ahead.Write(folder.getPath("HCLr.fst")));
  EXPECT_TRUE(grammar.Write(folder.getPath("Gr.fst")));
  folder.write("disambig_tid.int", std::to_string(kDisambiguation) + "\n");
  std::string error;
  const DecodingGraph graph = DecodingGraph::read(folder.folder, error);
  ASSERT_EQ(error, "");
  EXPECT_EQ(graph.getWord(3), "c");
  const DecodingGraph composed(DecodingGraph::compose(ahead, grammar),
                               {kDisambiguation}, {});
  const Scores scores = makeScores(9, 1);
  DecoderOptions options;
  BeamDecoder decoder(graph, kOutputOf, options);
  BeamDecoder other(composed, kOutputOf, options);
  for (const auto &frame : scores) {
    decoder.advance(frame.data());
    other.advance(frame.data());
  }
  EXPECT_EQ(decoder.getBestWords(true), other.getBestWords(true));
  EXPECT_EQ(decoder.getBestCost(true), other.getBestCost(true));
  EXPECT_FALSE(std::isinf(decoder.getBestCost(true)));
}

TEST(DecodingGraphTest, WrongFiles) {
  const GraphFolder folder;
  EXPECT_EQ(folder.getError(), "FOLDER/HCLr.fst: cannot be opened");
  folder.write("HCLG.fst", "no graph");
  EXPECT_EQ(folder.getError(), "FOLDER/HCLG.fst: expects a graph of OpenFst "
                               "with a first state");
  Graph graph = makeGraph(1);
  EXPECT_TRUE(graph.Write(folder.getPath("HCLG.fst")));
  EXPECT_EQ(folder.getError(), "FOLDER/words.txt: cannot be opened, and the "
                               "graph has no words");
  folder.write("words.txt", "<eps> 0\na -1\n");
  EXPECT_EQ(folder.getError(), "FOLDER/words.txt:2:1: expects a word and its "
                               "number, but got number -1");
  for (const char *text :
       {"<eps> 0\na\n", "<eps> 0\na b\n", "<eps> 0\na 1 b\n"}) {
    folder.write("words.txt", text);
    EXPECT_EQ(folder.getError(),
              "FOLDER/words.txt:2:1: expects a word and its number");
  }
  folder.write("words.txt", "");
  EXPECT_EQ(folder.getError(), "FOLDER/words.txt: has no words");
  folder.write("words.txt", "<eps> 0\na 1\n");
  EXPECT_EQ(folder.getError(), "");
  folder.write("disambig_tid.int", "7\nx\n");
  EXPECT_EQ(folder.getError(),
            "FOLDER/disambig_tid.int: expects a number on each line");
  folder.write("disambig_tid.int", "0\n");
  EXPECT_EQ(folder.getError(), "FOLDER/disambig_tid.int: expects labels of at "
                               "least 1, but got 0");
  std::ifstream file(folder.getPath("HCLG.fst"), std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(file), {}};
  // A string that is too long, states that do not fit in memory, and a first
  // state that does not exist.
  for (const auto &[at, error] :
       {std::pair(7, "a graph of OpenFst with a first state"),
        std::pair(54, "a graph of OpenFst with a first state"),
        std::pair(44, "a first state of 12, but got state 16711680")}) {
    std::string damaged = bytes;
    damaged[at] = at == 44 ? '\xff' : '\x7f';
    folder.write("HCLG.fst", damaged);
    EXPECT_EQ(folder.getError(),
              std::string("FOLDER/HCLG.fst: expects ") + error);
  }
  graph.AddArc(0, {1, 1, 0, 99});
  EXPECT_TRUE(graph.Write(folder.getPath("HCLG.fst")));
  EXPECT_EQ(folder.getError(),
            "FOLDER/HCLG.fst: expects transitions between 12 states, but one "
            "leads to state 99");
}

TEST(BeamDecoderTest, LongUtterancesForgetWords) {
  // Several words in each frame, so that the history is thinned out.
  Graph graph;
  graph.SetStart(graph.AddState());
  graph.SetFinal(0, 0);
  for (int i = 0; i < 8; ++i) {
    const int state = graph.AddState();
    graph.AddArc(0, {0, 1 + i % kWords, 0.1f * float(i), state});
    graph.AddArc(state, {1 + i % kLabels, 0, 0, 0});
  }
  const DecodingGraph wrapped = wrap(graph);
  BeamDecoder decoder(wrapped, kOutputOf, {});
  const std::vector<float> scores(kOutputs, -1.0f);
  constexpr int kFrames = 300000;
  for (int t = 0; t < kFrames; ++t)
    decoder.advance(scores.data());
  EXPECT_EQ(decoder.getBestWords(/*isEnd=*/true),
            std::vector<int32_t>(kFrames, 1));
  EXPECT_NEAR(decoder.getBestCost(/*isEnd=*/true), kFrames, 1);
}

TEST(BeamDecoderTest, WrongLabelsAreSeen) {
  Graph graph;
  graph.SetStart(graph.AddState());
  graph.AddArc(0, {100, 1, 0, 0});
  const DecodingGraph wrapped = wrap(graph);
  BeamDecoder decoder(wrapped, kOutputOf, {});
  const std::vector<float> scores(kOutputs);
  decoder.advance(scores.data());
  EXPECT_TRUE(decoder.sawWrongLabel());
  EXPECT_TRUE(std::isinf(decoder.getBestCost(/*isEnd=*/true)));
  EXPECT_TRUE(decoder.getBestWords(/*isEnd=*/true).empty());
}

TEST(BeamDecoderTest, CyclesOfNegativeCostEnd) {
  Graph graph;
  graph.SetStart(graph.AddState());
  graph.AddArc(0, {0, 0, -1, 0});
  graph.AddArc(0, {1, 1, 0, 0});
  const DecodingGraph wrapped = wrap(graph);
  BeamDecoder decoder(wrapped, kOutputOf, {});
  EXPECT_LT(decoder.getBestCost(/*isEnd=*/false), 0);
}

TEST(DecodingGraphTest, NamesWords) {
  const DecodingGraph graph = wrap(makeGraph(1));
  EXPECT_EQ(graph.getWord(2), "b");
  EXPECT_EQ(graph.getWord(0), "<0>");
  EXPECT_EQ(graph.getWord(7), "<7>");
  EXPECT_TRUE(graph.isEpsilon(0));
  EXPECT_TRUE(graph.isEpsilon(kDisambiguation));
  EXPECT_FALSE(graph.isEpsilon(kLabels));
}

} // namespace
