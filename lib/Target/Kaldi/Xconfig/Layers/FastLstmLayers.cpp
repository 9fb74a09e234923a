//===- FastLstmLayers.cpp - LSTMs with a single nonlinearity --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Recurrence.h"

namespace mlir::nnet3::xconfig {

static constexpr LayerKey kFastKeys[] = {
    textKey("lstm-nonlinearity-options", " max-change=0.75"),
    textKey("ng-affine-options", " max-change=1.5"), kL2Regularize, kDecayTime};

/// Begins the cell component. Its inputs are all gates and the previous state;
/// its outputs are the state and the output.
static Component makeCell(const Recurrence &cell) {
  Component component = cell.writer.step("lstm_nonlin");
  component.set("cell-dim", cell.getCellDim())
      .options("lstm-nonlinearity-options");
  return cell.regularized(std::move(component));
}

static bool hasBatchNorm(const Layer &layer) {
  return layer.getType()->name.contains("batchnorm");
}

/// Writes the truncated state and output of the cell, which recur.
static void writeTruncatedCell(const Recurrence &cell) {
  int64_t dim = cell.getCellDim();
  cell.truncation("cm_trunc", 2 * dim).from(cell.local("lstm_nonlin"));
  cell.range("c_trunc", "cm_trunc", 0, dim);
  cell.range("m_trunc", "cm_trunc", dim, dim);
}

//===----------------------------------------------------------------------===//
// fast-lstm-layer
//===----------------------------------------------------------------------===//

static void expandFastLstm(const Recurrence &cell) {
  int64_t dim = cell.getCellDim();
  std::string gates =
      cell.affine("W_all", cell.layer.getInputDim() + dim, 4 * dim)
          .from(cell.inputWithPast("m_trunc"));
  makeCell(cell).from(appendOf(gates, cell.past("c_trunc")));
  std::string state = cell.range("c", "lstm_nonlin", 0, dim);
  std::string output = cell.range("m", "lstm_nonlin", dim, dim);
  writeTruncatedCell(cell);
  if (hasBatchNorm(cell.layer))
    output = cell.batchNorm("m_batchnorm", dim).from(output);
  cell.layer.setOutput(output, dim);
  cell.layer.addOutput("c", state, dim);
}

//===----------------------------------------------------------------------===//
// fast-lstmp-layer
//===----------------------------------------------------------------------===//

static constexpr LayerKey kDropoutKeys[] = {kDropoutProportion};

static void expandFastLstmp(const Recurrence &cell) {
  int64_t dim = cell.getCellDim(), recurrent = cell.getRecurrentDim();
  int64_t projection = cell.getProjectionDim();
  std::string inputs =
      cell.affine("W_all", cell.layer.getInputDim() + recurrent, 4 * dim)
          .from(cell.inputWithPast("r_trunc"));
  inputs += ", " + cell.past("c_trunc");
  Component nonlinearity = makeCell(cell);
  if (cell.hasDropout()) {
    // The node has no real input, so its own name is given.
    inputs +=
        ", " + cell.writer.component("dropout_mask", "DropoutMaskComponent")
                   .set("output-dim", "3")
                   .copy(kDropoutProportion.name)
                   .from(cell.local("dropout_mask"));
    nonlinearity.set("use-dropout", "true");
  }
  nonlinearity.from("Append(" + inputs + ")");
  std::string state = cell.range("c", "lstm_nonlin", 0, dim);
  cell.affine("W_rp", dim, projection).define();
  std::string output =
      cell.node("rp", "W_rp", cell.range("m", "lstm_nonlin", dim, dim));
  std::string part = cell.range("r", "rp", 0, recurrent);
  cell.truncation("cr_trunc", dim + recurrent).from(appendOf(state, part));
  cell.range("c_trunc", "cr_trunc", 0, dim);
  cell.range("r_trunc", "cr_trunc", dim, recurrent);
  if (hasBatchNorm(cell.layer))
    output = cell.batchNorm("rp_batchnorm", projection).from(output);
  cell.layer.setOutput(output, projection);
  cell.layer.addOutput("c_t", state, dim);
}

//===----------------------------------------------------------------------===//
// lstmb-layer
//===----------------------------------------------------------------------===//

static constexpr LayerKey kLstmbKeys[] = {
    requiredKey("bottleneck-dim"),
    floatKey("orthonormal-constraint", "1.0", Range::Any),
    floatKey("self-scale", "1.0", Range::Any)};

static Component makeLinear(const Recurrence &cell, llvm::StringRef suffix,
                            int64_t in, int64_t out) {
  Component component = cell.writer.step(suffix, "linear");
  component.set("input-dim", in)
      .set("output-dim", out)
      .options("ng-affine-options");
  return component;
}

static void expandLstmb(const Recurrence &cell) {
  int64_t dim = cell.getCellDim(),
          bottleneck = cell.layer.getInt("bottleneck-dim");
  std::string past = cell.pastOf("Scale(" + cell.layer.getText("self-scale") +
                                 ", " + cell.local("m_trunc") + ")");
  std::string node =
      makeLinear(cell, "W_all_a", cell.layer.getInputDim() + dim, bottleneck)
          .set("orthonormal-constraint", cell.layer["orthonormal-constraint"])
          .from(appendOf(cell.layer.getInput(), past));
  // The orthonormal constraint fixes the scale of W_all_a, so only W_all_b gets
  // l2-regularize.
  node = cell.regularized(makeLinear(cell, "W_all_b", bottleneck, 4 * dim))
             .from(node);
  node = cell.writer.step("W_all_b_so", "so")
             .set("dim", 4 * dim)
             .set("max-change", "0.75")
             .from(node);
  makeCell(cell).from(appendOf(node, cell.past("c_trunc")));
  std::string output = cell.range("m", "lstm_nonlin", dim, dim);
  writeTruncatedCell(cell);
  cell.layer.setOutput(cell.batchNorm("m_batchnorm", dim).from(output), dim);
}

static const LayerType kLayers[] = {
    {"fast-lstm-layer",
     expandRecurrent<expandFastLstm>,
     {kRecurrenceKeys, kFastKeys}},
    {"fast-lstm-batchnorm-layer",
     expandRecurrent<expandFastLstm>,
     {kRecurrenceKeys, kFastKeys}},
    {"fast-lstmp-layer",
     expandRecurrent<expandFastLstmp>,
     {kRecurrenceKeys, kFastKeys, kProjectionKeys, kDropoutKeys}},
    {"fast-lstmp-batchnorm-layer",
     expandRecurrent<expandFastLstmp>,
     {kRecurrenceKeys, kFastKeys, kProjectionKeys, kDropoutKeys}},
    {"lstmb-layer",
     expandRecurrent<expandLstmb>,
     {kRecurrenceKeys, kFastKeys, kLstmbKeys}},
};

llvm::ArrayRef<LayerType> getFastLstmLayers() { return kLayers; }

} // namespace mlir::nnet3::xconfig
