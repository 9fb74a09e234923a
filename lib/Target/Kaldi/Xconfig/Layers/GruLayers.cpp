//===- GruLayers.cpp - GRUs composed of gates -----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Recurrence.h"

namespace mlir::nnet3::xconfig {

static constexpr LayerKey kNormOutputKeys[] = {kL2Regularize};

//===----------------------------------------------------------------------===//
// Parts
//===----------------------------------------------------------------------===//

/// Writes a gate with affine map `W_z.xs_GATE`.
static std::string writeGate(const Recurrence &cell, llvm::StringRef gate,
                             int64_t dim, llvm::StringRef dropout) {
  return cell.gate(gate, ("W_z.xs_" + gate).str(), dim, dropout,
                   (gate + "_predrop_t").str());
}

/// Writes the candidate `h_t` of a layer with a reset gate, which scales the
/// recurrent input.
static std::string writeResetCandidate(const Recurrence &cell,
                                       const std::string &reset) {
  int64_t recurrent = cell.getRecurrentDim(), dim = cell.getCellDim();
  cell.product("h1", recurrent).define();
  cell.affine("W_h.UW", cell.getInputDim() + recurrent, dim).define();
  cell.nonlinearity("h", "tanh", dim).define();
  std::string seen = cell.node("h1_t", "h1", appendOf(reset, cell.past("s_t")));
  std::string linear =
      cell.node("h_t_pre", "W_h.UW", appendOf(cell.layer.getInput(), seen));
  return cell.node("h_t", "h", linear);
}

/// Writes the candidate `h_t` of a layer with an output gate. It reads the
/// previous state through an elementwise scale.
static std::string writeElementwiseCandidate(const Recurrence &cell) {
  int64_t dim = cell.getCellDim();
  cell.affine("W_h.UW", cell.getInputDim(), dim).define();
  cell.scale("W_h.UW_elementwise").define();
  cell.nonlinearity("h", "tanh", dim).define();
  std::string linear = cell.node("h_t_pre", "W_h.UW", cell.layer.getInput());
  std::string scaled =
      cell.node("h_t_pre2", "W_h.UW_elementwise", cell.past("y_t"));
  return cell.node("h_t", "h", sumOf(linear, scaled));
}

/// Writes the state `y_t` = (1 - update) candidate + update past.
static std::string writeState(const Recurrence &cell,
                              const std::string &candidate,
                              const std::string &update, llvm::StringRef past) {
  int64_t dim = cell.getCellDim();
  cell.product("y1", dim).define();
  cell.product("y2", dim).define();
  cell.writer.step("y", "noop").set("dim", dim).define();
  std::string rest = sumOf("Scale(-1.0, " + update + ")",
                           "Const(1.0, " + llvm::Twine(dim) + ")");
  std::string changed = cell.node("y1_t", "y1", appendOf(candidate, rest));
  std::string kept = cell.node("y2_t", "y2", appendOf(cell.past(past), update));
  return cell.node("y_t", "y", sumOf(changed, kept));
}

/// Writes the projection `sn_t` of `state`; its first columns recur as `s_t`.
static void writeProjection(const Recurrence &cell, const std::string &state) {
  int64_t dim = cell.getProjectionDim(), recurrent = cell.getRecurrentDim();
  cell.affine("W_s.ys", cell.getCellDim(), dim).define();
  cell.truncation("s_r", recurrent).define();
  std::string output = cell.node("sn_t", "W_s.ys", state);
  cell.node("s_t", "s_r", cell.range("s_t_preclip", "sn_t", 0, recurrent));
  cell.layer.setOutput(output, dim);
}

/// Like writeProjection(), with batch norm for the output. The recurrent part
/// is taken before the batch norm and is normalised per frame by the node
/// `renormalized`.
static void writeNormProjection(const Recurrence &cell,
                                const std::string &state,
                                llvm::StringRef renormalized) {
  int64_t dim = cell.getProjectionDim(), recurrent = cell.getRecurrentDim();
  cell.affine("W_s.ys", cell.getCellDim(), dim).define();
  cell.batchNorm("batchnorm", dim).define();
  cell.renorm("renorm", recurrent).define();
  cell.truncation("s_r", recurrent).define();
  std::string output = cell.node(
      "sn_t", "batchnorm", cell.node("sn_nobatchnorm_t", "W_s.ys", state));
  std::string part =
      cell.range("s_t_preclip", "sn_nobatchnorm_t", 0, recurrent);
  cell.node("s_t", "s_r", cell.node(renormalized, "renorm", part));
  cell.layer.setOutput(output, dim);
}

//===----------------------------------------------------------------------===//
// Layers
//===----------------------------------------------------------------------===//

static void expandGru(const Recurrence &cell) {
  int64_t dim = cell.getCellDim();
  std::string update = writeGate(cell, "z", dim, "");
  std::string reset = writeGate(cell, "r", dim, "");
  std::string candidate = writeResetCandidate(cell, reset);
  std::string state = writeState(cell, candidate, update, "s_t");
  cell.truncation("s_r", dim).define();
  cell.layer.setOutput(cell.node("s_t", "s_r", state), dim);
}

static void expandPgru(const Recurrence &cell) {
  int64_t dim = cell.getCellDim(), recurrent = cell.getRecurrentDim();
  if (cell.hasDropout()) {
    cell.dropout("dropout_z", dim).define();
    cell.dropout("dropout_r", recurrent).define();
  }
  std::string update = writeGate(cell, "z", dim, "dropout_z");
  std::string reset = writeGate(cell, "r", recurrent, "dropout_r");
  std::string candidate = writeResetCandidate(cell, reset);
  std::string state = writeState(cell, candidate, update, "y_t");
  if (cell.layer.getType()->name == "norm-pgru-layer")
    writeNormProjection(cell, state, "s_renorm_t");
  else
    writeProjection(cell, state);
}

static void expandOpgru(const Recurrence &cell) {
  int64_t dim = cell.getCellDim();
  if (cell.hasDropout())
    cell.dropout("dropout", dim).define();
  std::string update = writeGate(cell, "z", dim, "dropout");
  std::string output = writeGate(cell, "o", dim, "dropout");
  std::string candidate = writeElementwiseCandidate(cell);
  std::string state = writeState(cell, candidate, update, "y_t");
  cell.product("o1", dim).define();
  state = cell.node("y_o_t", "o1", appendOf(output, state));
  if (cell.layer.getType()->name == "norm-opgru-layer")
    writeNormProjection(cell, state, "s_t_preclip_renorm");
  else
    writeProjection(cell, state);
}

static const LayerType kLayers[] = {
    {"gru-layer", expandRecurrent<expandGru>, {kRecurrenceKeys, kGateKeys}},
    {"pgru-layer",
     expandRecurrent<expandPgru>,
     {kRecurrenceKeys, kGateKeys, kProjectionKeys}},
    {"norm-pgru-layer",
     expandRecurrent<expandPgru>,
     {kRecurrenceKeys, kGateKeys, kNormKeys}},
    {"opgru-layer",
     expandRecurrent<expandOpgru>,
     {kRecurrenceKeys, kGateKeys, kProjectionKeys}},
    {"norm-opgru-layer",
     expandRecurrent<expandOpgru>,
     {kRecurrenceKeys, kGateKeys, kNormKeys, kNormOutputKeys}},
};

llvm::ArrayRef<LayerType> getGruLayers() { return kLayers; }

} // namespace mlir::nnet3::xconfig
