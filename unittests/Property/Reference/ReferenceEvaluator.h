//===- ReferenceEvaluator.h - What a network means, row by row --*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A slow, independent evaluator: computes single rows of a network in double
// precision, straight from the definitions of descriptors (descriptors.md 5.1
// and 6) and components (components.md 6). It reads the ops of the network and
// nothing else; no code is shared with the compiler, with the analysis of
// descriptors or with the runtime's kernels.
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

/// Row `index` of node number `node`; a descriptor is no node here.
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

/// What can be said of a list of wanted rows.
enum class Outcome {
  Computable,
  NotComputable, ///< some row needs a row that is not there
  Cyclic,        ///< all are computable, but a row's value needs itself
  Unbounded,     ///< the rows needed reach further than any bound tried
};

class ReferenceEvaluator {
public:
  explicit ReferenceEvaluator(NetworkOp network);

  /// The number of the node called `name`, or -1.
  int find(llvm::StringRef name) const;
  /// Number of columns of a node.
  int64_t getDim(int node) const;

  /// The caller supplies this row of an input node or component node.
  void supply(Row row, Vector value = {}) { supplied[row] = std::move(value); }
  /// The same for several rows, of which `values` has one after the other.
  void supply(const std::string &node, llvm::ArrayRef<Index> rows,
              llvm::ArrayRef<double> values);

  /// Decides which rows are computable, and which rows the wanted ones are
  /// computed from. Resets what `evaluate` has computed.
  Outcome analyze(llvm::ArrayRef<Row> wanted);

  /// After `analyze`: whether a wanted row, or a row that a wanted one may
  /// read, is computable.
  bool isComputable(Row row) const;
  /// After `analyze`: the rows that the values of the computable wanted rows
  /// are made of, themselves included; sorted.
  const std::vector<Row> &getUsedRows() const { return used; }

  /// After `analyze`: whether a row that the wanted ones may read, whether it
  /// is needed or not, may read itself.
  bool mayReadItself() const { return tangled; }

  /// The value of a row; only if `analyze` found the wanted rows computable.
  Vector evaluate(Row row);
  /// The kinks that computing values came by.
  const Kinks &getKinks() const { return kinks; }

  /// Component `name`, whose tensors may be changed.
  ReferenceComponent &getComponent(const std::string &name) {
    return components.at(name);
  }
  /// Forgets the values and kinks, after something was changed.
  void forget();

private:
  /// What a row is available for: a function of it.
  using Available = std::function<bool(const Row &)>;
  using Visit = std::function<void(const Row &)>;

  struct Window {
    int64_t firstT, lastT, firstX, lastX;
    bool contains(const Index &index) const {
      return index.t >= firstT && index.t <= lastT && index.x >= firstX &&
             index.x <= lastX;
    }
  };

  /// All that is known when rows outside of a window are taken to be
  /// computable, or not to be.
  struct Analysis {
    std::map<Row, bool> computable;
    /// The rows each row of the closure reads.
    std::map<Row, std::vector<Row>> reads;
    bool reachesOutside = false;
    bool cyclic = false;
    bool tangled = false;
  };

  // Descriptors, in the general form: part `part` of the appended parts of
  // `value` at `index`.
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

  // Whole rows.
  void visitMentioned(const Row &row, const Visit &visit) const;
  bool isDescriptorComputable(Value value, Index index,
                              const Available &available) const;
  bool isRowComputable(const Row &row, const Available &available) const;
  void visitReads(const Row &row, const Available &available,
                  const Visit &visit) const;
  Vector descriptorValue(Value value, Index index);
  void evaluateBatch(int node, const ReferenceComponent &component);

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
};

} // namespace mlir::nnet3::property

#endif // NNET3_UNITTESTS_PROPERTY_REFERENCE_REFERENCEEVALUATOR_H
