//===- NodeTable.h - The nodes of a network, numbered -----------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The network as the compiler sees it: nodes numbered the way Kaldi numbers
// them (a component node is preceded by the node of its input descriptor),
// descriptors in normal form, ready to be evaluated.
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

/// A descriptor expression that picks exactly one source row for each row
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

/// A source row that a descriptor adds, times a constant.
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
  /// Whether the row can be computed when the sources for which `available`
  /// holds are there; if so the terms it adds are appended to `terms`.
  bool isComputable(Index index, function_ref<bool(const Cindex &)> available,
                    SmallVectorImpl<Term> *terms = nullptr) const;
  /// The constant that is added to every row.
  float getConstant() const;
  /// Whether a row is computable only when all its dependencies are.
  bool needsAllDependencies() const;
};

/// A part and the columns it fills.
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
  /// Shifting a row by any multiple of this in time shifts the rows it reads
  /// by as much, except those at a time of their own (ReplaceIndex).
  int64_t modulus = 1;
  int32_t source = -1;   ///< of DimRange
  int64_t dimOffset = 0; ///< of DimRange
  /// Whether a row is known to be computable only when all its dependencies
  /// are, so that nothing but their state has to be looked at.
  bool needsAllDependencies = false;

  /// The input of a component rather than an output node.
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
  /// Number of the input or component node, or of the output node, called
  /// `name`; -1 if there is none.
  int32_t find(StringRef name) const;
  /// The number M such that the network is the same, shifted by any multiple
  /// of M in time.
  int64_t getModulus() const { return modulus; }

  /// The same nodes with zeros in place of what they read where it is there
  /// (IfDefined). The same rows are computable; recurrences through IfDefined
  /// are gone.
  NodeTable withoutOptionalReads() const;

private:
  LogicalResult addDescriptor(Value value, Node &node,
                              const DenseMap<Value, int32_t> &numbers);

  std::vector<Node> nodes;
  llvm::StringMap<int32_t> byName;
  int64_t modulus = 1;
};

/// The epoch of each node: position of its strongly connected component in a
/// topological order of the network, sources first (compile.md 5).
struct NodeEpochs {
  std::vector<int32_t> epochOf;
  /// Nodes of each epoch, ascending.
  std::vector<SmallVector<int32_t, 1>> nodes;
};

/// Orders the nodes by a depth-first search from the first node on, as Kaldi
/// does: a branch of the network is finished before the next one begins, so
/// that its matrices can be reused.
NodeEpochs computeEpochs(const NodeTable &nodes);

/// Whether an output row of some component depends on other rows than those
/// that the component says it reads: batch norm in training mode takes the mean
/// of all rows, and random numbers are drawn for one row after the other.
bool mixesRows(const NodeTable &nodes);
/// The same for one node.
bool mixesRows(const Node &node);

} // namespace mlir::nnet3

#endif // NNET3_COMPILE_NODETABLE_H
