//===- NetworkGenerator.h - Random networks ---------------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_UNITTESTS_PROPERTY_NETWORKS_NETWORKGENERATOR_H
#define NNET3_UNITTESTS_PROPERTY_NETWORKS_NETWORKGENERATOR_H

#include "NetworkText.h"

namespace mlir::nnet3::property {

struct RandomNetwork {
  struct Input {
    NodeRef node;
    /// Distance in frames of the given rows; 0 means only t = 0.
    int period = 1;
  };

  std::string family;
  std::string text;
  std::vector<Input> inputs;
  std::vector<NodeRef> outputs;
  std::vector<NodeRef> componentNodes;
  /// Whether rows at several x are used.
  bool usesX = false;
};

/// Returns the names of the families by number.
const std::vector<std::string> &getFamilies();
/// Returns the family of a seed. Families alternate; every fourth seed is for
/// families that were added later, so that most seeds keep their cases.
int getFamily(uint64_t seed);
/// Generates a network of family `family`; for `training` see `Layers`.
RandomNetwork generateNetwork(Random &random, int family, bool training);

/// Generates random descriptor trees over given nodes in the general form that
/// have a normal form: one scale per node and part, no Switch of sums, and only
/// zero constants under a condition.
class DescriptorGenerator {
public:
  DescriptorGenerator(Random &random, std::vector<NodeRef> nodes, bool usesX)
      : random(random), nodes(std::move(nodes)), usesX(usesX) {}

  /// Generates a tree of depth up to `depth` with `numParts` appended parts.
  Expr generate(int numParts, int depth);

private:
  /// Restrictions from the operators around a subtree.
  struct Around {
    bool inSwitch = false;    ///< single rows only
    bool conditional = false; ///< no constants except 0
    bool scaled = false;      ///< no Switch
  };

  Expr tree(const std::vector<int> &dims, int depth, Around around);
  Expr leaf(int dim, Around around);

  Random &random;
  std::vector<NodeRef> nodes;
  bool usesX;
};

} // namespace mlir::nnet3::property

#endif // NNET3_UNITTESTS_PROPERTY_NETWORKS_NETWORKGENERATOR_H
