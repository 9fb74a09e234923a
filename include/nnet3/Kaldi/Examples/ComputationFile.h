//===- ComputationFile.h - Kaldi's computations and caches ------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kaldi's file formats of compiled computations (spec: formats.md 9). They are
// only read and written, never run.
//
//===----------------------------------------------------------------------===//
#ifndef NNET3_KALDI_EXAMPLES_COMPUTATIONFILE_H
#define NNET3_KALDI_EXAMPLES_COMPUTATIONFILE_H

#include "nnet3/Kaldi/Examples/RowIndex.h"
#include <array>
#include <string>
#include <utility>
#include <variant>

namespace nnet3::kaldi {

/// An input or output of a request.
struct KaldiIoSpecification {
  std::string name;
  std::vector<RowIndex> indexes;
  bool hasDeriv = false;
};

struct KaldiRequest {
  std::vector<KaldiIoSpecification> inputs, outputs;
  bool needModelDerivative = false;
  bool storeComponentStats = false;
};

struct KaldiMatrix {
  int32_t rows = 0, cols = 0;
  bool strideEqualsCols = false;
};

/// The node and the index of each row of a matrix.
struct KaldiMatrixDebug {
  bool isDeriv = false;
  std::vector<std::pair<int32_t, RowIndex>> cindexes;
};

/// Matrix, first row, rows, first column, columns.
using KaldiSubMatrix = std::array<int32_t, 5>;

using IntPairs = std::vector<std::pair<int32_t, int32_t>>;

/// Data that a component has precomputed from the indexes of its rows.
struct KaldiPrecomputedIndexes {
  using Value = std::variant<int32_t, float, std::vector<int32_t>, IntPairs,
                             std::vector<float>>;

  /// `Tdnn`, `Distribute`, ...
  std::string type;
  /// The values after the tokens, in their order.
  std::vector<Value> values;
  std::vector<RowIndex> inputs, outputs;
};

struct KaldiCommand {
  int32_t type = 0;
  float alpha = 1;
  /// The arguments without trailing -1.
  std::vector<int32_t> args;
};

struct KaldiComputation {
  std::vector<KaldiMatrix> matrices;
  std::vector<KaldiMatrixDebug> debug;
  std::vector<KaldiSubMatrix> subMatrices;
  /// All elements but the first one, which is always empty.
  std::vector<KaldiPrecomputedIndexes> precomputed;
  std::vector<std::vector<int32_t>> indexes;
  std::vector<IntPairs> indexesMulti, indexesRanges;
  std::vector<KaldiCommand> commands;
  bool needModelDerivative = false;
};

/// Computations and their requests, with the options of the optimisation.
struct KaldiComputationCache {
  /// The values of the options in their order, with booleans as 0 and 1.
  std::vector<int32_t> options;
  std::vector<std::pair<KaldiRequest, KaldiComputation>> entries;
};

// The readers report an error for versions of computations other than 5.
// Objects that are read from binary files are written as the same bytes.
llvm::LogicalResult readRequest(KaldiReader &reader, KaldiRequest &request);
void writeRequest(KaldiWriter &writer, const KaldiRequest &request);
llvm::LogicalResult readComputation(KaldiReader &reader,
                                    KaldiComputation &computation);
void writeComputation(KaldiWriter &writer, const KaldiComputation &computation);
llvm::LogicalResult readComputationCache(KaldiReader &reader,
                                         KaldiComputationCache &cache);
void writeComputationCache(KaldiWriter &writer,
                           const KaldiComputationCache &cache);

} // namespace nnet3::kaldi

#endif // NNET3_KALDI_EXAMPLES_COMPUTATIONFILE_H
