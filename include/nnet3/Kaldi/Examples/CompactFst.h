//===- CompactFst.h - Weighted acceptors of training examples ---*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The numerator graphs of chain examples (spec: formats.md 8.4). The binary
// form is a file of OpenFst with the type `compact_acceptor` and arcs of type
// `standard`; the text form has a line for each arc and final state, and an
// empty line at the end.
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
    /// The final weight; nullopt if the state is not final.
    std::optional<float> final;
    std::vector<Arc> arcs;
  };

  /// OpenFst's property bits of an expanded graph that is an acceptor. A
  /// property whose bits are not set is unknown.
  static constexpr uint64_t kKnownProperties = 0x10001;

  /// Maximum number of arcs of a graph that concatenate() creates.
  static constexpr int64_t kMaxArcs = 1 << 26;

  /// -1 if there are no states.
  int64_t start = -1;
  std::vector<State> states;
  /// The property bits of the binary file.
  uint64_t properties = kKnownProperties;
};

/// Reads an acceptor in the reader's mode. Rejects aligned files and files with
/// symbol tables, which Kaldi does not write, and text with different input and
/// output labels.
llvm::LogicalResult readCompactFst(KaldiReader &reader, CompactFst &fst);

/// Reads a file of OpenFst with the type `vector`, such as Kaldi's den.fst.
/// Rejects the same files as readCompactFst().
llvm::Expected<CompactFst> readFstFile(llvm::StringRef path);

void writeCompactFst(KaldiWriter &writer, const CompactFst &fst);

/// Concatenates the graphs, at least one, adding weights. Adds no new states or
/// epsilon arcs: the arcs of the start state of each further graph are copied
/// to the final states of the graph before it, and the start state is removed
/// if no arc leads to it. With several graphs, states are numbered
/// breadth-first from the start state 0. Returns an error if the result would
/// have more than `kMaxArcs` arcs.
llvm::Expected<CompactFst> concatenate(llvm::ArrayRef<CompactFst> graphs);

/// Finds the frame of each state of `graph`. Returns an error message if not
/// all paths have `numFrames` arcs, or if an arc leads to an earlier state;
/// else an empty string.
std::string findStateTimes(const CompactFst &graph, int32_t numFrames,
                           std::vector<int32_t> &times);

/// Returns the part of a graph for frames `first` to `first + count - 1`;
/// `times` are the frames of its states. The last state is the only final one.
CompactFst cutFrames(const CompactFst &graph, llvm::ArrayRef<int32_t> times,
                     int32_t first, int32_t count);

/// Computes OpenFst's property bits of `graph`. Cycles and accessibility are
/// unknown unless all arcs lead to later states.
uint64_t getProperties(const CompactFst &graph);

} // namespace nnet3::kaldi

#endif // NNET3_KALDI_EXAMPLES_COMPACTFST_H
