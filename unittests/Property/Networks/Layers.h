//===- Layers.h - Component nodes with random parameters --------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_UNITTESTS_PROPERTY_NETWORKS_LAYERS_H
#define NNET3_UNITTESTS_PROPERTY_NETWORKS_LAYERS_H

#include "NetworkText.h"

namespace mlir::nnet3::property {

/// The dims of an image in a row.
struct ImageDims {
  int x, y, z;

  int size() const { return x * y * z; }
  /// Returns the attributes.
  std::string text() const {
    return integer("input_x_dim", x) + ", " + integer("input_y_dim", y) + ", " +
           integer("input_z_dim", z);
  }
};

/// Adds component nodes to a network, with parameters of moderate size, so
/// that values neither vanish nor explode.
class Layers {
public:
  /// With `training`, batch norm may be in training mode, and nodes may share
  /// components. All backward passes are then derivatives of the forward
  /// passes: there is no clipping or self-repair.
  Layers(Random &random, NetworkText &text, bool training)
      : random(random), text(text), training(training) {}

  /// Returns an unused node name.
  std::string freshName() { return "n" + std::to_string(count++); }

  /// Adds one of the affine and linear types.
  NodeRef affine(const Expr &input, int dim, std::string name = "");
  NodeRef tdnn(const Expr &input, int dim, const std::vector<int> &offsets,
               std::string name = "");
  /// Adds a component of type `op`, whose only attribute is `dim`.
  NodeRef simple(const std::string &op, const Expr &input,
                 std::string name = "");
  /// Adds a component of any type with equal input and output dims, except
  /// discontinuous ones.
  NodeRef elementwise(const Expr &input);
  /// Adds RectifiedLinear, Sigmoid or Tanh.
  NodeRef nonlinearity(const Expr &input);
  NodeRef batchNorm(const Expr &input);
  NodeRef normalize(const Expr &input);
  NodeRef product(const Expr &input, int dim, std::string name = "");
  NodeRef sumBlock(const Expr &input, int dim);
  NodeRef sumGroup(const Expr &input);
  NodeRef permute(const Expr &input);
  NodeRef peephole(const Expr &input, std::string name = "");
  NodeRef lstmNonlinearity(const Expr &input, int cellDim, bool dropout,
                           std::string name = "");
  NodeRef truncation(const Expr &input, std::string name = "");
  NodeRef clipGradient(const Expr &input, std::string name = "");

  /// Adds an affine map of each of `numBlocks` blocks to `blockDim` columns.
  NodeRef blocks(const Expr &input, int numBlocks, int blockDim);
  /// `image` has the dims of the input, and gets those of the output.
  NodeRef convolution(const Expr &input, ImageDims &image);
  NodeRef maxpooling(const Expr &input, ImageDims &image);
  NodeRef pnorm(const Expr &input);
  NodeRef constantFunction(const Expr &input, int dim);
  /// Adds a node that reads no row; its input is the node itself.
  NodeRef source(int dim);
  /// With `recurrentDim` 0, adds the nonlinearity with an output gate.
  NodeRef gruNonlinearity(const Expr &input, int cellDim, int recurrentDim,
                          std::string name);

  NodeRef distribute(const Expr &input);
  /// Adds statistics of a window, with one row every `period` frames.
  NodeRef statistics(const Expr &input, int &period);
  /// Adds a convolution over rows of `height`.
  NodeRef timeHeightConvolution(const Expr &input, int height, int heightOut,
                                int filters);
  /// Adds attention with values of at most `dim` columns.
  NodeRef attention(const Expr &input, int dim);
  NodeRef composite(const Expr &input, int dim);

  /// Returns a divisor of `dim`.
  int divisor(int dim);

private:
  NodeRef add(const std::string &op, const std::string &attributes,
              const Expr &input, int dim, std::string name = "");
  /// Returns a component that an earlier call of `affine` has added, or "".
  std::string findAffine(int inputDim, int dim);
  std::string scaleAndOffset(int dim, int block);
  std::string tensor(const std::string &name, const std::vector<int> &shape,
                     double mean, double range) {
    return randomTensor(random, name, shape, mean, range);
  }

  Random &random;
  NetworkText &text;
  bool training;
  int count = 0;
  struct Affine {
    std::string component;
    int inputDim, dim;
  };
  std::vector<Affine> affines;
};

} // namespace mlir::nnet3::property

#endif // NNET3_UNITTESTS_PROPERTY_NETWORKS_LAYERS_H
