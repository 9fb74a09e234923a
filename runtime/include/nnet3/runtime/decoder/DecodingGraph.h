//===- DecodingGraph.h - Decoding graphs of OpenFst -------------*- C++ -*-===//
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

/// An FST from transition-ids to words. OpenFst reads the files and does not
/// validate them.
class DecodingGraph {
public:
  ~DecodingGraph();
  DecodingGraph(DecodingGraph &&);
  DecodingGraph &operator=(DecodingGraph &&);

  /// Reads the graph of a folder: HCLG.fst, or HCLr.fst and Gr.fst, which are
  /// composed on demand. \p error becomes the error message, or empty.
  static DecodingGraph read(const std::string &folder, std::string &error);

  /// Wraps an existing graph. \p disambiguation has the disambiguation symbols
  /// among its input labels; \p words has the name of each output label.
  DecodingGraph(std::unique_ptr<StdGraph> graph,
                std::vector<int32_t> disambiguation,
                std::vector<std::string> words);

  /// Composes two graphs lazily; \p lexicon has a look-ahead matcher.
  static std::unique_ptr<StdGraph> compose(const StdGraph &lexicon,
                                           const StdGraph &grammar);

  const StdGraph &get() const { return *graph; }

  /// Whether an input label is epsilon or a disambiguation symbol, which
  /// consume no frame.
  bool isEpsilon(int32_t label) const {
    return label == 0 ||
           (label <= lastDisambiguation && label >= firstDisambiguation &&
            isDisambiguation[label - firstDisambiguation]);
  }

  /// Returns the name of an output label.
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
