//===- NetworkText.h - Writes networks as MLIR text -------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_UNITTESTS_PROPERTY_NETWORKS_NETWORKTEXT_H
#define NNET3_UNITTESTS_PROPERTY_NETWORKS_NETWORKTEXT_H

#include "Random.h"

#include <string>
#include <vector>

namespace mlir::nnet3::property {

/// A node and its number of columns; the node may be added later.
struct NodeRef {
  std::string name;
  int dim = 0;
};

/// A descriptor expression in the general form.
struct Expr {
  enum Kind {
    Node,
    Append,
    Sum,
    Scale,
    Const,
    Offset,
    Switch,
    Round,
    ReplaceT,
    ReplaceX,
    Failover,
    IfDefined
  };
  Kind kind = Node;
  std::vector<Expr> args;
  NodeRef node;     ///< of Node
  float alpha = 1;  ///< of Scale and Const
  int t = 0, x = 0; ///< offsets, modulus or value; dim of Const in t

  Expr() = default;
  Expr(NodeRef node) : node(std::move(node)) {}
  Expr(Kind kind, std::vector<Expr> args, int t = 0, int x = 0)
      : kind(kind), args(std::move(args)), t(t), x(x) {}

  int dim() const;
  /// Number of appended parts (descriptors.md 5.1).
  int numParts() const;
};

Expr offset(Expr arg, int t, int x = 0);
Expr scale(float alpha, Expr arg);
Expr constant(float value, int dim);
Expr append(std::vector<Expr> args);
Expr sum(std::vector<Expr> args);
Expr ifDefined(Expr arg);
Expr failover(Expr a, Expr b);

/// Collects a network's components and nodes and prints them.
class NetworkText {
public:
  NodeRef addInput(const std::string &name, int dim);
  void addComponent(const std::string &name, const std::string &op,
                    const std::string &attributes);
  /// Adds a composite component with the text of its parts.
  void addComposite(const std::string &name, const std::string &attributes,
                    const std::string &parts);
  /// Adds the node `name` of an existing component; returns it with its output
  /// dim.
  NodeRef addNode(const std::string &name, const std::string &component,
                  const Expr &input, int dim);
  NodeRef addDimRange(const std::string &name, const NodeRef &source,
                      int offset, int dim);
  void addOutput(const std::string &name, const Expr &input);

  /// Returns the component nodes added so far.
  const std::vector<NodeRef> &getComponentNodes() const { return nodes; }
  /// Returns `nnet3.network @net {...}`.
  std::string str() const { return "nnet3.network @net {\n" + body + "}\n"; }

private:
  /// Appends the ops of `expr`; returns its SSA name.
  std::string emit(const Expr &expr);

  std::string body;
  std::vector<NodeRef> nodes;
  int numDescriptors = 0;
};

/// Returns a float32 as text that MLIR reads back exactly.
std::string toText(float value);

// Return attributes of components: `name = value : type`.
std::string integer(const std::string &name, int value);
std::string number(const std::string &name, double value);
std::string array(const std::string &name, const std::vector<int> &values);
/// Returns a tensor of random values around `mean`.
std::string randomTensor(Random &random, const std::string &name,
                         const std::vector<int> &shape, double mean,
                         double range);

} // namespace mlir::nnet3::property

#endif // NNET3_UNITTESTS_PROPERTY_NETWORKS_NETWORKTEXT_H
