//===- RequestGenerator.h - Random requests for a network -------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_UNITTESTS_PROPERTY_NETWORKS_REQUESTGENERATOR_H
#define NNET3_UNITTESTS_PROPERTY_NETWORKS_REQUESTGENERATOR_H

#include "NetworkGenerator.h"
#include "Reference/ReferenceEvaluator.h"

namespace mlir::nnet3::property {

/// One input or output of a request.
struct RandomIo {
  std::string node;
  std::vector<Index> rows;
  /// `<n = 0:3, t = -2:5>`; lists the same rows.
  std::string text;
  /// The values of an input, row by row; the derivative of an output that has
  /// one.
  std::vector<float> values;
  bool hasDeriv = false;
};

struct RandomRequest {
  std::vector<RandomIo> inputs, outputs;
  bool modelDerivative = false, storesStats = false;

  /// `nnet3.request @request for @net {...}`.
  std::string str() const;
  /// The values, as comments.
  std::string strValues() const;
};

/// A request for `network`, whose op is `op`. Most can be computed; some lack
/// an input row.
RandomRequest generateRequest(Random &random, const RandomNetwork &network,
                              NetworkOp op);

/// The gradient and the derivative of the node "input", from that of "output"
/// at the same rows; without values.
RandomRequest makeGradientRequest(std::vector<Index> rows);

/// Supplies the derivatives of some outputs, and asks for those of inputs or
/// parameters, sometimes with statistics.
void requestDerivatives(Random &random, RandomRequest &request, NetworkOp op);

/// The rows of the first sequence of each list of `request`, for 3 to 8
/// sequences, each list in a layout of its own; without values.
RandomRequest drawShortcutRequest(Random &random, RandomRequest request);

/// The rows of `request` at equal distances, for 120 or 240 frames more;
/// without values.
RandomRequest stretchRequest(Random &random, RandomRequest request);
/// Whether nodes of the network depend on themselves.
bool hasRecurrence(NetworkOp network);

/// Draws the values of inputs, and the derivatives of outputs.
void drawValues(Random &random, RandomRequest &request, NetworkOp op);

/// Changes all values and derivatives by up to 2^exponent of themselves, a few
/// units of their last place if nothing is said.
void perturbValues(Random &random, RandomRequest &request, int exponent = -21);

/// The text of a list of rows: as ranges if they are a product in one of the
/// row orders and `ranges` is set, else row by row.
std::string printRows(const std::vector<Index> &rows, bool ranges);

} // namespace mlir::nnet3::property

#endif // NNET3_UNITTESTS_PROPERTY_NETWORKS_REQUESTGENERATOR_H
