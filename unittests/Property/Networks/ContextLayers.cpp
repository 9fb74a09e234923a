//===- ContextLayers.cpp - Layers that read other rows --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Layers.h"

#include <cmath>
#include <set>

using namespace mlir::nnet3;
using namespace mlir::nnet3::property;

NodeRef Layers::distribute(const Expr &input) {
  int dim = divisor(input.dim());
  return add("distribute",
             integer("input_dim", input.dim()) + ", " +
                 integer("output_dim", dim),
             input, dim);
}

/// Standard deviations of few frames are not smooth, so training networks do
/// not have them.
NodeRef Layers::statistics(const Expr &input, int &period) {
  int inputPeriod = random.between(1, 2);
  period = inputPeriod * random.between(1, 3);
  bool variance = random.chance(0.6), stddevs = variance && !training;
  int dim = input.dim(), columns = (variance ? 2 : 1) * dim;
  std::string attributes = integer("input_dim", dim) + ", " +
                           integer("input_period", inputPeriod) + ", " +
                           integer("output_period", period);
  if (!variance)
    attributes += ", include_variance = false";
  NodeRef sums = add("statistics_extraction", attributes, input, 1 + columns);
  int left = random.between(0, 3), right = random.between(left == 0, 3);
  int logCounts = random.between(0, 2);
  attributes = integer("input_dim", 1 + columns) + ", " +
               integer("input_period", period) + ", " +
               integer("left_context", left * period) + ", " +
               integer("right_context", right * period) + ", " +
               integer("num_log_count_features", logCounts);
  if (stddevs)
    attributes += ", output_stddevs = true, " + number("variance_floor", 0.01);
  return add("statistics_pooling", attributes, sums, columns + logCounts);
}

/// Uses some offsets including the central one, so that every height has an
/// input and every offset is used.
NodeRef Layers::timeHeightConvolution(const Expr &input, int height,
                                      int heightOut, int filters) {
  int filtersIn = input.dim() / height;
  int subsample = heightOut > 1 ? (height - 1) / (heightOut - 1) : 1;
  subsample = random.between(1, std::max(1, subsample));
  std::set<std::pair<int, int>> offsets = {{0, 0}};
  for (int i = random.between(0, 6); i > 0; --i)
    offsets.insert({random.between(-2, 2),
                    random.between(-std::min(1, (heightOut - 1) * subsample),
                                   std::min(1, height - 1))});
  std::vector<int> flat, required = {0};
  for (auto [time, h] : offsets) {
    flat.push_back(time);
    flat.push_back(h);
  }
  int cols = int(offsets.size()) * filtersIn;
  std::string attributes = integer("num_filters_in", filtersIn) + ", " +
                           integer("num_filters_out", filters) + ", " +
                           integer("height_in", height) + ", " +
                           integer("height_out", heightOut) + ", " +
                           integer("height_subsample_out", subsample) + ", " +
                           array("offsets", flat) + ", " +
                           tensor("linear_params", {filters, cols}, 0,
                                  1.7 / std::sqrt(double(cols))) +
                           ", " + tensor("bias_params", {filters}, 0, 0.5);
  if (random.chance(0.6))
    attributes += ", " + array("required_time_offsets", required);
  return add("time_height_convolution", attributes, input, heightOut * filters);
}

NodeRef Layers::attention(const Expr &input, int dim) {
  int heads = random.between(1, 2), left = random.between(0, 2);
  int right = random.between(left == 0, 2), context = left + 1 + right;
  int key = random.between(1, 3), value = random.between(1, dim);
  std::string attributes =
      integer("num_heads", heads) + ", " + integer("key_dim", key) + ", " +
      integer("value_dim", value) + ", " + integer("num_left_inputs", left) +
      ", " + integer("num_right_inputs", right) + ", " +
      integer("time_stride", random.between(1, 3));
  if (random.chance(0.7))
    attributes +=
        ", " + integer("num_left_inputs_required", random.between(0, left)) +
        ", " + integer("num_right_inputs_required", random.between(0, right));
  bool outputContext = random.chance(0.6);
  if (!outputContext)
    attributes += ", output_context = false";
  NodeRef in = affine(input, heads * (2 * key + value + context));
  return add("restricted_attention", attributes, in,
             heads * (value + (outputContext ? context : 0)));
}

/// An affine map between elementwise components.
NodeRef Layers::composite(const Expr &input, int dim) {
  int in = input.dim();
  std::string body = "nnet3.tanh @first {" + integer("dim", in) + "} ";
  body += random.chance(0.5) ? "nnet3.natural_gradient_affine @second {"
                             : "nnet3.affine @second {";
  body += integer("input_dim", in) + ", " + integer("output_dim", dim) + ", " +
          number("learning_rate_factor", 0.5) + ", " +
          tensor("linear_params", {dim, in}, 0, 1.7 / std::sqrt(double(in))) +
          ", " + tensor("bias_params", {dim}, 0, 0.5) + "} ";
  int third = random.between(0, 3);
  if (third == 0)
    body += "nnet3.sigmoid @third {" + integer("dim", dim) + "} ";
  else if (third == 1)
    body += "nnet3.scale_and_offset @third {" +
            scaleAndOffset(dim, divisor(dim)) + "} ";
  else if (third == 2)
    body += "nnet3.natural_gradient_per_element_scale @third {" +
            integer("dim", dim) + ", " + tensor("scales", {dim}, 0, 1) + "} ";
  std::string attributes =
      integer("max_rows_process", random.between(0, 5)) +
      (random.chance(0.3) ? ", " + number("max_change", 0.01) : "");
  std::string name = freshName();
  text.addComposite(name + "_component", attributes, body);
  return text.addNode(name, name + "_component", input, dim);
}
