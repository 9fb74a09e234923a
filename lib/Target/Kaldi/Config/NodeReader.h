//===- NodeReader.h - Node lines of configs ---------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef LIB_TARGET_KALDI_CONFIG_NODEREADER_H
#define LIB_TARGET_KALDI_CONFIG_NODEREADER_H

#include "ConfigLine.h"

#include "nnet3/Dialect/Nnet3/Analysis/Descriptor.h"
#include "llvm/ADT/StringMap.h"
#include <vector>

namespace mlir::nnet3 {

/// Collects the nodes of a network and a config, and builds them again, because
/// a declaration may refer to later ones.
class NodeReader {
public:
  /// `components` are the network's components by name; they may change until
  /// `build`.
  NodeReader(NetworkOp network, const llvm::StringMap<Operation *> &components)
      : network(network), components(components) {}

  /// Returns true if `word` begins a node line.
  static bool isNodeWord(llvm::StringRef word);

  /// Removes the nodes and descriptors from the network.
  void takeNodes();

  /// Declares the node of a line, whose name is valid; it replaces an existing
  /// node of the same name.
  LogicalResult declare(ConfigLine &line, const ConfigValue &name);

  /// Resolves names, parses and checks the descriptors, and adds the nodes to
  /// the network. `loc` is the location of the whole config.
  LogicalResult build(Location loc);

private:
  enum class Kind { Input, Component, DimRange, Output };

  struct Node {
    Kind kind;
    std::string name;
    Location loc;
    /// The number of columns of input and dim-range nodes.
    int64_t dim = 0;
    int64_t dimOffset = 0;
    /// The name of the component, or of the source of a dim-range, and its
    /// location.
    std::string reference;
    LocationAttr referenceLoc;
    /// The location of the descriptor, or of a dim-range's dim or offset.
    LocationAttr inputLoc;
    /// The descriptor of component and output nodes.
    Descriptor input;
    Objective objective = Objective::Linear;
    /// A placeholder for the node's value until all nodes are built.
    OwningOpRef<InputNodeOp> placeholder;

    explicit Node(Kind kind, llvm::StringRef name, Location loc)
        : kind(kind), name(name.str()), loc(loc) {}
  };

  void takeNode(Operation *op);
  LogicalResult readInput(ConfigLine &line, Node &node);
  LogicalResult readObjective(ConfigLine &line, Node &node);
  LogicalResult readDimRange(ConfigLine &line, Node &node);
  LogicalResult verifyNames(Location loc);
  LogicalResult resolveDim(Node &node);
  LogicalResult resolveSource(Node &node);
  LogicalResult resolveDescriptor(Node &node);
  LogicalResult resolveLeaves(Descriptor &descriptor);
  Value buildNode(OpBuilder &builder, Node &node);
  Node *find(llvm::StringRef name);

  NetworkOp network;
  const llvm::StringMap<Operation *> &components;
  std::vector<Node> nodes;
  llvm::StringMap<size_t> index;
};

} // namespace mlir::nnet3

#endif // LIB_TARGET_KALDI_CONFIG_NODEREADER_H
