//===- DecodingGraph.h - What words sound like ------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_RUNTIME_DECODER_DECODINGGRAPH_H
#define NNET3_RUNTIME_DECODER_DECODINGGRAPH_H

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace fst {
template <typename W> struct ArcTpl;
template <typename T> class TropicalWeightTpl;
template <typename A> class Fst;
} // namespace fst

namespace nnet3 {
namespace rt {

using StdGraph = fst::Fst<fst::ArcTpl<fst::TropicalWeightTpl<float>>>;

/// A graph of OpenFst from transition-ids to words. Files of graphs are read by
/// OpenFst, which trusts them.
class DecodingGraph {
public:
  ~DecodingGraph();
  DecodingGraph(DecodingGraph &&);
  DecodingGraph &operator=(DecodingGraph &&);

  /// Reads the graph of a folder: HCLG.fst, or HCLr.fst and Gr.fst, which are
  /// composed as far as a decoder looks. \p error becomes what is wrong, or
  /// empty.
  static DecodingGraph read(const std::string &folder, std::string &error);

  /// A graph that is there already. \p disambiguation has the labels of its
  /// input that stand for nothing; \p words has the name of each output label.
  DecodingGraph(std::unique_ptr<StdGraph> graph,
                std::vector<int32_t> disambiguation,
                std::vector<std::string> words);

  /// The composition of two graphs, where \p lexicon has a matcher that looks
  /// ahead.
  static std::unique_ptr<StdGraph> compose(const StdGraph &lexicon,
                                           const StdGraph &grammar);

  const StdGraph &get() const { return *graph; }

  /// Whether an input label is read without a frame.
  bool isEpsilon(int32_t label) const {
    return label == 0 ||
           (label <= lastDisambiguation && label >= firstDisambiguation &&
            isDisambiguation[label - firstDisambiguation]);
  }

  /// The name of an output label.
  std::string getWord(int32_t label) const;

private:
  DecodingGraph();

  std::unique_ptr<StdGraph> graph;
  int32_t firstDisambiguation = 1, lastDisambiguation = 0;
  std::vector<char> isDisambiguation;
  std::vector<std::string> words;

  void setDisambiguation(const std::vector<int32_t> &labels);
  std::string readWords(const std::string &path);
};

} // namespace rt
} // namespace nnet3

#endif // NNET3_RUNTIME_DECODER_DECODINGGRAPH_H
