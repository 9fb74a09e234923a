//===- ReferenceEvaluator.h - Row-by-row evaluation of networks -*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A slow, independent evaluator: computes single rows of a network in double
// precision, directly from the definitions of descriptors (descriptors.md 5.1
// and 6) and components (components.md 6). It reads only the ops of the network
// and shares no code with the compiler, the analysis of descriptors or the
// runtime's kernels.
//
//===----------------------------------------------------------------------===//

#ifndef NNET3_UNITTESTS_PROPERTY_REFERENCE_REFERENCEEVALUATOR_H
#define NNET3_UNITTESTS_PROPERTY_REFERENCE_REFERENCEEVALUATOR_H

#include "ReferenceComponents.h"

#include "nnet3/Dialect/Nnet3/IR/NetworkOps.h"

#include <functional>
#include <map>
#include <tuple>
#include <vector>

namespace mlir::nnet3::property {

/// Row `index` of node `node`; descriptors are not nodes here.
struct Row {
  int node = -1;
  Index index;

  friend bool operator==(const Row &a, const Row &b) {
    return a.node == b.node && a.index == b.index;
  }
  friend bool operator<(const Row &a, const Row &b) {
    return std::tie(a.node, a.index.n, a.index.t, a.index.x) <
           std::tie(b.node, b.index.n, b.index.t, b.index.x);
  }
};

/// The result for a list of requested rows.
enum class Outcome {
  Computable,
  NotComputable, ///< some row needs a row that is not given
  Cyclic,        ///< all are computable, but a row depends on itself
  Unbounded,     ///< the search reaches further than all bounds
};

class ReferenceEvaluator {
public:
  explicit ReferenceEvaluator(NetworkOp network);

  /// Returns the number of the node called `name`, or -1.
  int find(llvm::StringRef name) const;
  /// Returns the number of columns of a node.
  int64_t getDim(int node) const;

  /// Sets a given row of an input node or component node.
  void supply(Row row, Vector value = {}) { supplied[row] = std::move(value); }
  /// Sets several given rows; `values` has them one after another.
  void supply(const std::string &node, llvm::ArrayRef<Index> rows,
              llvm::ArrayRef<double> values);

  /// Decides which rows are computable, and which rows the wanted ones need.
  /// Drops the results of `evaluate`.
  Outcome analyze(llvm::ArrayRef<Row> wanted);

  /// After `analyze`, returns true if a wanted row, or a row that a wanted one
  /// may read, is computable.
  bool isComputable(Row row) const;
  /// After `analyze`, returns the sorted rows that the computable wanted rows
  /// depend on, including themselves.
  const std::vector<Row> &getUsedRows() const { return used; }

  /// After `analyze`, returns true if some row that the wanted rows may read,
  /// needed or not, may depend on itself.
  bool mayReadItself() const { return tangled; }
  /// Returns true if the rows that the wanted rows may read, needed or not, are
  /// without end: further away than all bounds.
  bool mayReadEndlessly(llvm::ArrayRef<Row> wanted) const;

  /// Returns the value of a row. `analyze` must have found the wanted rows
  /// computable.
  Vector evaluate(Row row);
  /// Returns the kinks that the evaluation has passed.
  const Kinks &getKinks() const { return kinks; }

  /// Returns component `name`, whose tensors may be changed.
  ReferenceComponent &getComponent(const std::string &name) {
    return components.at(name);
  }
  /// Drops values and kinks after a change.
  void forget();

  /// Changes the outputs of components by up to as much as single precision
  /// rounds them, the same in each evaluation with `seed`; 0 for no change.
  void setRounding(uint64_t seed) { rounding = seed; }

private:
  /// Tells whether a row is available.
  using Available = std::function<bool(const Row &)>;
  using Visit = std::function<void(const Row &)>;

  struct Window {
    int64_t firstT, lastT, firstX, lastX;
    bool contains(const Index &index) const {
      return index.t >= firstT && index.t <= lastT && index.x >= firstX &&
             index.x <= lastX;
    }
  };

  /// The results under the assumption that rows outside a window are
  /// computable, or that they are not.
  struct Analysis {
    std::map<Row, bool> computable;
    /// The rows that each row of the closure reads.
    std::map<Row, std::vector<Row>> reads;
    bool reachesOutside = false;
    bool cyclic = false;
    bool tangled = false;
  };

  // Descriptors in the general form: part `part` of `value` at `index`.
  static int64_t countParts(Value value);
  static int64_t partDim(Value value, int64_t part);
  void visitLeaves(Value value, int64_t part, Index index,
                   const Visit &visit) const;
  bool isPartComputable(Value value, int64_t part, Index index,
                        const Available &available) const;
  void visitTerms(Value value, int64_t part, Index index,
                  const Available &available, const Visit &visit) const;
  Vector partValue(Value value, int64_t part, Index index,
                   const Available &available);

  // All parts of a row.
  void visitMentioned(const Row &row, const Visit &visit) const;
  bool isDescriptorComputable(Value value, Index index,
                              const Available &available) const;
  bool isRowComputable(const Row &row, const Available &available) const;
  void visitReads(const Row &row, const Available &available,
                  const Visit &visit) const;
  Vector descriptorValue(Value value, Index index);
  void evaluateBatch(int node, const ReferenceComponent &component);
  void round(const Row &row, Vector &values) const;

  Window getWindow(llvm::ArrayRef<Row> wanted, int64_t margin) const;
  Analysis analyzeWithin(llvm::ArrayRef<Row> wanted, const Window &window,
                         bool outside) const;
  void close(llvm::ArrayRef<Row> wanted, Analysis &analysis,
             const Available &available, const Window &window) const;

  NetworkOp network;
  std::vector<Operation *> nodes;
  llvm::DenseMap<Value, int> numbers;
  std::map<std::string, ReferenceComponent> components;
  std::map<Row, Vector> supplied;
  std::map<Row, bool> computable;
  std::vector<Row> used;
  bool tangled = false;
  std::map<Row, Vector> values;
  Kinks kinks;
  uint64_t rounding = 0;
};

} // namespace mlir::nnet3::property

#endif // NNET3_UNITTESTS_PROPERTY_REFERENCE_REFERENCEEVALUATOR_H
