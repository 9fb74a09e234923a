//===- NodeTable.h - The numbered nodes of a network ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The compiler's representation of a network: nodes with Kaldi's numbers (the
// node of its input descriptor precedes a component node), and descriptors in
// normal form.
//
//===----------------------------------------------------------------------===//

#ifndef NNET3_COMPILE_NODETABLE_H
#define NNET3_COMPILE_NODETABLE_H

#include "nnet3/Dialect/Nnet3/IR/ComponentOps.h"

#include "llvm/ADT/StringMap.h"
#include <vector>

namespace mlir::nnet3 {

struct Descriptor;

/// A row of a node.
struct Cindex {
  int32_t node = -1;
  Index index;

  friend bool operator==(const Cindex &a, const Cindex &b) {
    return a.node == b.node && a.index == b.index;
  }
  friend bool operator<(const Cindex &a, const Cindex &b) {
    return a.node != b.node ? a.node < b.node : a.index < b.index;
  }
};

/// A descriptor expression that maps each row to exactly one source row
/// (descriptors.md 4, "fwd").
struct ForwardExpr {
  enum class Kind { Node, Offset, Switch, Round, ReplaceT, ReplaceX };
  Kind kind = Kind::Node;
  std::vector<ForwardExpr> operands;
  int32_t node = -1; ///< of Node
  float alpha = 1;   ///< scale of Node
  int32_t t = 0;     ///< offset, modulus or value
  int32_t x = 0;     ///< offset

  /// The source row of `index`, and its scale.
  std::pair<Cindex, float> map(Index index) const;
};

/// A source row that a descriptor multiplies by a constant and adds.
struct Term {
  Cindex source;
  float alpha;
};

/// One of the appended parts of a descriptor.
struct SumExpr {
  enum class Kind { Forward, Const, Sum, Failover, IfDefined };
  Kind kind = Kind::Forward;
  ForwardExpr forward;
  std::vector<SumExpr> operands;
  float value = 0; ///< of Const

  /// Appends every row the expression may read.
  void getDependencies(Index index, SmallVectorImpl<Cindex> &sources) const;
  /// Whether the row is computable from the sources for which `available`
  /// returns true; if so, appends the terms that it adds to `terms`.
  bool isComputable(Index index, function_ref<bool(const Cindex &)> available,
                    SmallVectorImpl<Term> *terms = nullptr) const;
  /// The constant that is added to every row.
  float getConstant() const;
  /// Whether a row is computable only if all its dependencies are.
  bool needsAllDependencies() const;
};

/// A part of a descriptor and its columns.
struct DescriptorPart {
  SumExpr sum;
  int64_t colOffset = 0;
  int64_t dim = 0;
};

/// A node of the network.
struct Node {
  enum class Kind {
    Input,      ///< input-node
    Descriptor, ///< input of the component node that follows, or output-node
    Component,  ///< component-node
    DimRange,   ///< dim-range-node
  };
  Kind kind;
  std::string name;
  int64_t dim = 0;
  Operation *op = nullptr;
  bool isOutput = false;             ///< of Descriptor
  std::vector<DescriptorPart> parts; ///< of Descriptor
  ComponentOpInterface component;    ///< of Component
  ComponentProperties properties = ComponentProperties::None;
  /// If a row is shifted in time by a multiple of this, the rows that it reads
  /// are shifted by the same time, except at fixed times (ReplaceIndex).
  int64_t modulus = 1;
  int32_t source = -1;   ///< of DimRange
  int64_t dimOffset = 0; ///< of DimRange
  /// Whether a row is computable if and only if all its dependencies are, so
  /// that isComputable() need not be called.
  bool needsAllDependencies = false;

  /// Whether the node is the input of a component, not an output node.
  bool isComponentInput() const {
    return kind == Kind::Descriptor && !isOutput;
  }
};

/// All nodes of a network.
class NodeTable {
public:
  /// Reads the network; emits an error if a descriptor has no normal form.
  static FailureOr<NodeTable> get(NetworkOp network);

  ArrayRef<Node> getNodes() const { return nodes; }
  const Node &operator[](int32_t node) const { return nodes[node]; }
  int32_t size() const { return nodes.size(); }
  /// Number of the node `name`; -1 if there is none. The descriptor of a
  /// component node has no name.
  int32_t find(StringRef name) const;
  /// The number M such that time shifts by multiples of M map the network to
  /// itself.
  int64_t getModulus() const { return modulus; }

  /// Returns the nodes with IfDefined(...) replaced by zeros. The set of
  /// computable rows is the same; recurrences through IfDefined are removed.
  NodeTable withoutOptionalReads() const;

private:
  LogicalResult addDescriptor(Value value, Node &node,
                              const DenseMap<Value, int32_t> &numbers);

  std::vector<Node> nodes;
  llvm::StringMap<int32_t> byName;
  int64_t modulus = 1;
};

/// The epoch of each node: the position of its strongly connected component in
/// a topological order of the network (compile.md 5).
struct NodeEpochs {
  std::vector<int32_t> epochOf;
  /// Nodes of each epoch, ascending.
  std::vector<SmallVector<int32_t, 1>> nodes;
};

/// Orders the nodes by a depth-first search from the first node on, like Kaldi.
/// A branch of the network is then computed before the next one begins, so that
/// its matrices can be reused.
NodeEpochs computeEpochs(const NodeTable &nodes);

/// Whether an output row of a component depends on rows that getInputIndexes()
/// does not list: batch norm in training mode uses the mean of all rows, and
/// random numbers depend on the order of rows.
bool mixesRows(const NodeTable &nodes);
/// Whether this holds for the component of `node`.
bool mixesRows(const Node &node);

} // namespace mlir::nnet3

#endif // NNET3_COMPILE_NODETABLE_H
