//===- CompactFst.h - Weighted acceptors of training examples ---*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The numerator graphs of chain examples (spec: formats.md 8.4): in binary a
// file of OpenFst with the type `compact_acceptor` and arcs of type `standard`,
// in text a line for each arc and final state, and an empty line.
//
//===----------------------------------------------------------------------===//
#ifndef NNET3_KALDI_EXAMPLES_COMPACTFST_H
#define NNET3_KALDI_EXAMPLES_COMPACTFST_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/LogicalResult.h"
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace nnet3::kaldi {

class KaldiReader;
class KaldiWriter;

/// A weighted acceptor.
struct CompactFst {
  struct Arc {
    int32_t label;
    float weight;
    int32_t target;
  };
  struct State {
    /// The final weight, of a final state.
    std::optional<float> final;
    std::vector<Arc> arcs;
  };

  /// OpenFst's bits for a graph whose states are all there, and an acceptor's.
  /// What other bits tell is not known where they are not set.
  static constexpr uint64_t kKnownProperties = 0x10001;

  /// The most arcs that a graph is given here.
  static constexpr int64_t kMaxArcs = 1 << 26;

  /// -1 if there are no states.
  int64_t start = -1;
  std::vector<State> states;
  /// What the binary file tells of the graph.
  uint64_t properties = kKnownProperties;
};

/// Reads an acceptor in the reader's mode. Aligned files and files with tables
/// of symbols are refused, which Kaldi does not write; so is text with
/// different input and output labels.
llvm::LogicalResult readCompactFst(KaldiReader &reader, CompactFst &fst);

/// Reads a file of OpenFst with the type `vector`, such as Kaldi's den.fst. The
/// same as above is refused.
llvm::Expected<CompactFst> readFstFile(llvm::StringRef path);

void writeCompactFst(KaldiWriter &writer, const CompactFst &fst);

/// The graph of what the graphs accept one after the other, weights added, of
/// which there is at least one. There are no new states or arcs without label:
/// the start of each graph behind the first gives its arcs to the final states
/// in front, and is left out if no arc goes there. Unless there is one graph,
/// states are numbered breadth-first from 0, the start. A graph that would have
/// more than `kMaxArcs` arcs is an error.
llvm::Expected<CompactFst> concatenate(llvm::ArrayRef<CompactFst> graphs);

/// Finds the frames of the states of `graph`. Returns what is wrong with a
/// graph whose paths do not all have `numFrames` arcs, or whose arcs lead to
/// earlier states; or an empty string.
std::string findStateTimes(const CompactFst &graph, int32_t numFrames,
                           std::vector<int32_t> &times);

/// What a graph accepts in frames `first` to `first + count - 1`; `times` are
/// those of its states. The final state is the last one.
CompactFst cutFrames(const CompactFst &graph, llvm::ArrayRef<int32_t> times,
                     int32_t first, int32_t count);

/// What OpenFst notes of the properties of `graph`. About cycles and
/// accessibility nothing is known unless arcs lead to later states only.
uint64_t getProperties(const CompactFst &graph);

} // namespace nnet3::kaldi

#endif // NNET3_KALDI_EXAMPLES_COMPACTFST_H
