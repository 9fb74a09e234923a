//===- DecodingGraph.cpp - Decoding graphs of OpenFst ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/runtime/decoder/DecodingGraph.h"
#include "GraphHeader.h"

#include <fst/extensions/ngram/ngram-fst.h>
#include <fst/fstlib.h>
#include <fst/matcher-fst.h>

#include <algorithm>
#include <fstream>
#include <sstream>

using namespace nnet3::rt;

// FST types of Vosk's models that OpenFst does not register itself.
static fst::FstRegisterer<fst::NGramFst<fst::StdArc>> registerNGram;
static fst::FstRegisterer<fst::StdOLabelLookAheadFst> registerLookAhead;

/// Limit of the cache of composed states.
static constexpr size_t kCacheBytes = 64 << 20;

DecodingGraph::DecodingGraph() = default;
DecodingGraph::~DecodingGraph() = default;
DecodingGraph::DecodingGraph(DecodingGraph &&) = default;
DecodingGraph &DecodingGraph::operator=(DecodingGraph &&) = default;

DecodingGraph::DecodingGraph(std::unique_ptr<StdGraph> graph,
                             std::vector<int32_t> disambiguation,
                             std::vector<std::string> words)
    : graph(std::move(graph)), words(std::move(words)) {
  setDisambiguation(disambiguation);
}

void DecodingGraph::setDisambiguation(const std::vector<int32_t> &labels) {
  if (labels.empty())
    return;
  const auto [least, most] = std::minmax_element(labels.begin(), labels.end());
  firstDisambiguation = *least;
  lastDisambiguation = *most;
  isDisambiguation.assign(lastDisambiguation - firstDisambiguation + 1, false);
  for (int32_t label : labels)
    isDisambiguation[label - firstDisambiguation] = true;
}

std::unique_ptr<StdGraph> DecodingGraph::compose(const StdGraph &lexicon,
                                                 const StdGraph &grammar) {
  const fst::CacheOptions options(/*gc=*/true, kCacheBytes);
  return std::make_unique<fst::StdComposeFst>(lexicon, grammar, options);
}

std::string DecodingGraph::getWord(int32_t label) const {
  return label >= 0 && static_cast<size_t>(label) < words.size() &&
                 !words[label].empty()
             ? words[label]
             : "<" + std::to_string(label) + ">";
}

//===----------------------------------------------------------------------===//
// Files
//===----------------------------------------------------------------------===//

static bool exists(const std::string &path) {
  return std::ifstream(path).good();
}

/// Checks that the transitions of an expanded graph lead to existing states.
static std::string checkGraph(const std::string &path, const StdGraph &graph) {
  // The property for it comes from the file.
  const auto *expanded =
      dynamic_cast<const fst::ExpandedFst<fst::StdArc> *>(&graph);
  if (!expanded)
    return {};
  const int count = expanded->NumStates();
  if (graph.Start() < 0 || graph.Start() >= count)
    return path + ": expects a first state of " + std::to_string(count) +
           ", but got state " + std::to_string(graph.Start());
  for (fst::StateIterator<StdGraph> states(graph); !states.Done();
       states.Next())
    for (fst::ArcIterator<StdGraph> arcs(graph, states.Value()); !arcs.Done();
         arcs.Next())
      if (const fst::StdArc &arc = arcs.Value();
          arc.nextstate < 0 || arc.nextstate >= count || arc.ilabel < 0)
        return path + ": expects transitions between " + std::to_string(count) +
               " states, but one leads to state " +
               std::to_string(arc.nextstate);
  return {};
}

/// Reads a graph. Returns null and sets \p error if the file is not a graph.
static std::unique_ptr<StdGraph> readGraph(const std::string &path,
                                           std::string &error) {
  if (!exists(path)) {
    error = path + ": cannot be opened";
    return nullptr;
  }
  std::unique_ptr<StdGraph> graph;
  try {
    if (hasSoundHeader(path))
      graph.reset(StdGraph::Read(path));
  } catch (const std::exception &) {
    // Other parts of the file ask for too much memory.
  }
  if (!graph || graph->Properties(fst::kError, false) ||
      graph->Start() == fst::kNoStateId) {
    error = path + ": expects a graph of OpenFst with a first state";
    return nullptr;
  }
  // The n-gram type of Vosk's models is compressed; expand it for speed.
  if (graph->Type() == "ngram")
    graph = std::make_unique<fst::StdConstFst>(*graph);
  error = checkGraph(path, *graph);
  return error.empty() ? std::move(graph) : nullptr;
}

/// Reads one number per line. A missing file has no labels.
static std::string readLabels(const std::string &path,
                              std::vector<int32_t> &labels) {
  std::ifstream file(path);
  int32_t label = 0;
  while (file >> label) {
    if (label < 1 || label > 1 << 28)
      return path + ": expects labels of at least 1, but got " +
             std::to_string(label);
    labels.push_back(label);
  }
  if (file.is_open() && !file.eof())
    return path + ": expects a number on each line";
  return {};
}

/// Reads a word and its number from each line.
std::string DecodingGraph::readWords(const std::string &path) {
  std::ifstream file(path);
  std::istringstream fields;
  std::string text, word, more;
  for (int64_t line = 1, label = 0; std::getline(file, text); ++line) {
    const std::string what =
        path + ":" + std::to_string(line) + ":1: expects a word and its number";
    fields.clear();
    fields.str(text);
    if (!(fields >> word >> label) || fields >> more)
      return what;
    if (label < 0 || label > 1 << 28)
      return what + ", but got number " + std::to_string(label);
    if (static_cast<size_t>(label) >= words.size())
      words.resize(label + 1);
    words[label] = word;
  }
  return words.empty() ? path + ": has no words" : std::string();
}

static void takeWords(const fst::SymbolTable &symbols,
                      std::vector<std::string> &words) {
  for (const auto &symbol : symbols) {
    if (symbol.Label() < 0 || symbol.Label() > 1 << 28)
      continue;
    if (static_cast<size_t>(symbol.Label()) >= words.size())
      words.resize(symbol.Label() + 1);
    words[symbol.Label()] = symbol.Symbol();
  }
}

DecodingGraph DecodingGraph::read(const std::string &folder,
                                  std::string &error) {
  FLAGS_fst_error_fatal = false;
  DecodingGraph result;
  std::unique_ptr<StdGraph> grammar;
  if (const std::string path = folder + "/HCLG.fst"; exists(path)) {
    result.graph = readGraph(path, error);
  } else {
    auto lexicon = readGraph(folder + "/HCLr.fst", error);
    if (lexicon)
      grammar = readGraph(folder + "/Gr.fst", error);
    if (grammar)
      result.graph = compose(*lexicon, *grammar);
  }
  if (!error.empty())
    return result;
  std::vector<int32_t> labels;
  error = readLabels(folder + "/disambig_tid.int", labels);
  result.setDisambiguation(labels);
  const fst::SymbolTable *symbols =
      (grammar ? *grammar : *result.graph).OutputSymbols();
  if (const std::string path = folder + "/words.txt"; exists(path)) {
    if (error.empty())
      error = result.readWords(path);
  } else if (symbols) {
    takeWords(*symbols, result.words);
  } else if (error.empty()) {
    error = path + ": cannot be opened, and the graph has no words";
  }
  return result;
}
