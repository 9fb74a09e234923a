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
    /// Distance of the times at which the caller has rows; 0: only t = 0.
    int period = 1;
  };

  std::string family;
  std::string text;
  std::vector<Input> inputs;
  std::vector<NodeRef> outputs;
  std::vector<NodeRef> componentNodes;
  /// Whether rows at several x are of interest.
  bool usesX = false;
};

/// Names of the families, in the order of their numbers.
const std::vector<std::string> &getFamilies();
/// The families take turns; those that came later have every fourth seed, so
/// that most seeds keep their cases.
int getFamily(uint64_t seed);
/// A network of family number `family`; `training` is that of `Layers`.
RandomNetwork generateNetwork(Random &random, int family, bool training);

/// Random descriptor trees over given nodes, in the general form, that have a
/// normal form: one scale per node and part, no Switch of sums, constants under
/// a condition are zero.
class DescriptorGenerator {
public:
  DescriptorGenerator(Random &random, std::vector<NodeRef> nodes, bool usesX)
      : random(random), nodes(std::move(nodes)), usesX(usesX) {}

  /// A tree of depth at most `depth` with `numParts` appended parts.
  Expr generate(int numParts, int depth);

private:
  /// What the operators around a subtree allow in it.
  struct Around {
    bool inSwitch = false;    ///< single rows only
    bool conditional = false; ///< no constants but 0
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
