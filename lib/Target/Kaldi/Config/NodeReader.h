//===- NodeReader.h - Node lines of configs ---------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef LIB_TARGET_KALDI_CONFIG_NODEREADER_H
#define LIB_TARGET_KALDI_CONFIG_NODEREADER_H

#include "ConfigLine.h"

#include "nnet3/Dialect/Nnet3/Analysis/Descriptor.h"
#include "llvm/ADT/StringMap.h"
#include <vector>

namespace nnet3 {

/// Collects the nodes of a network and of a config, and builds them anew: what
/// is declared may refer to what is declared later.
class NodeReader {
public:
  /// `components` are the network's, by name; they may still change until
  /// `build`.
  NodeReader(mlir::nnet3::NetworkOp network,
             const llvm::StringMap<mlir::Operation *> &components)
      : network(network), components(components) {}

  /// Whether `word` begins the line of a node.
  static bool isNodeWord(llvm::StringRef word);

  /// Takes the nodes and descriptors out of the network.
  void takeNodes();

  /// Declares the node of a line, whose name is valid; it replaces one of the
  /// network that has the same name.
  mlir::LogicalResult declare(ConfigLine &line, const ConfigValue &name);

  /// Resolves names, parses and checks the descriptors, and puts the nodes
  /// into the network. `loc` is that of the whole config.
  mlir::LogicalResult build(mlir::Location loc);

private:
  enum class Kind { Input, Component, DimRange, Output };

  struct Node {
    Kind kind;
    std::string name;
    mlir::Location loc;
    /// Columns, of input and dim-range nodes.
    int64_t dim = 0;
    int64_t dimOffset = 0;
    /// Name of the component, or of the dim-range's source, and where it is
    /// given.
    std::string reference;
    mlir::LocationAttr referenceLoc;
    /// Where the descriptor begins, the dim or the offset of a dim-range.
    mlir::LocationAttr inputLoc;
    /// The descriptor of component and output nodes.
    mlir::nnet3::Descriptor input;
    mlir::nnet3::Objective objective = mlir::nnet3::Objective::Linear;
    /// A stand-in for the node's value, until all nodes are built.
    mlir::OwningOpRef<mlir::nnet3::InputNodeOp> placeholder;

    explicit Node(Kind kind, llvm::StringRef name, mlir::Location loc)
        : kind(kind), name(name.str()), loc(loc) {}
  };

  void takeNode(mlir::Operation *op);
  mlir::LogicalResult readInput(ConfigLine &line, Node &node);
  mlir::LogicalResult readObjective(ConfigLine &line, Node &node);
  mlir::LogicalResult readDimRange(ConfigLine &line, Node &node);
  mlir::LogicalResult verifyNames(mlir::Location loc);
  mlir::LogicalResult resolveDim(Node &node);
  mlir::LogicalResult resolveSource(Node &node);
  mlir::LogicalResult resolveDescriptor(Node &node);
  mlir::LogicalResult resolveLeaves(mlir::nnet3::Descriptor &descriptor);
  mlir::Value buildNode(mlir::OpBuilder &builder, Node &node);
  Node *find(llvm::StringRef name);

  mlir::nnet3::NetworkOp network;
  const llvm::StringMap<mlir::Operation *> &components;
  std::vector<Node> nodes;
  llvm::StringMap<size_t> index;
};

} // namespace nnet3

#endif // LIB_TARGET_KALDI_CONFIG_NODEREADER_H
