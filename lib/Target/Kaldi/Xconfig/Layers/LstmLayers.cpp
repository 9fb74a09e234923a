//===- LstmLayers.cpp - LSTMs composed of gates ---------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Recurrence.h"

namespace mlir::nnet3::xconfig {

static constexpr LayerKey kLstmKeys[] = {kL2Regularize, kDecayTime};
static constexpr LayerKey kLstmpKeys[] = {
    kL2Regularize,      kDecayTime,
    kDropoutProportion, boolKey("dropout-per-frame", "false"),
    kProjectionKeys[0], kProjectionKeys[1]};

/// Defines the affine map, the peephole and the sigmoid of a gate.
static void defineGate(const Recurrence &cell, const std::string &gate) {
  int64_t dim = cell.getCellDim();
  cell.affine("W_" + gate + ".xr", cell.getInputDim() + cell.getRecurrentDim(),
              dim)
      .define();
  cell.regularized(cell.scale("w_" + gate + ".c")).define();
  cell.nonlinearity(gate, "sigmoid", dim).define();
}

static void defineComponents(const Recurrence &cell) {
  int64_t dim = cell.getCellDim();
  for (const char *gate : {"i", "f", "o"})
    defineGate(cell, gate);
  cell.affine("W_c.xr", cell.getInputDim() + cell.getRecurrentDim(), dim)
      .define();
  for (const char *name : {"g", "h"})
    cell.nonlinearity(name, "tanh", dim).define();
  for (const char *name : {"c1", "c2", "m"})
    cell.product(name, dim).define();
  cell.truncation("c", dim).define();
  cell.truncation("r", cell.getRecurrentDim()).define();
  if (cell.hasDropout())
    cell.dropout("dropout", dim).define();
}

/// Writes the nodes of a gate whose peephole reads `state`.
static std::string writeGate(const Recurrence &cell, const std::string &gate,
                             const std::string &state) {
  std::string linear =
      cell.node(gate + "1_t", "W_" + gate + ".xr", cell.inputWithPast("r_t"));
  std::string peephole = cell.node(gate + "2_t", "w_" + gate + ".c", state);
  if (!cell.hasDropout())
    return cell.node(gate + "_t", gate, sumOf(linear, peephole));
  std::string all =
      cell.node(gate + "_t_predrop", gate, sumOf(linear, peephole));
  return cell.node(gate + "_t", "dropout", all);
}

/// Writes the nodes of the cell; returns the last one, `m_t`.
static std::string writeCell(const Recurrence &cell) {
  std::string input = writeGate(cell, "i", cell.past("c_t"));
  std::string forget = writeGate(cell, "f", cell.past("c_t"));
  std::string output = writeGate(cell, "o", cell.local("c_t"));
  std::string update = cell.node(
      "g_t", "g", cell.node("g1_t", "W_c.xr", cell.inputWithPast("r_t")));
  std::string kept =
      cell.node("c1_t", "c1", appendOf(forget, cell.past("c_t")));
  std::string added = cell.node("c2_t", "c2", appendOf(input, update));
  std::string state = cell.node("c_t", "c", sumOf(kept, added));
  return cell.node("m_t", "m", appendOf(output, cell.node("h_t", "h", state)));
}

static void expandLstm(const Recurrence &cell) {
  defineComponents(cell);
  std::string output = writeCell(cell);
  cell.node("r_t", "r", output);
  cell.layer.setOutput(output, cell.getCellDim());
  cell.layer.addOutput("c_t", cell.writer.local("c_t"), cell.getCellDim());
}

static void expandLstmp(const Recurrence &cell) {
  int64_t dim = cell.getProjectionDim();
  defineComponents(cell);
  cell.affine("W_rp.m", cell.getCellDim(), dim).define();
  std::string output = cell.node("rp_t", "W_rp.m", writeCell(cell));
  cell.node("r_t", "r",
            cell.range("r_t_preclip", "rp_t", 0, cell.getRecurrentDim()));
  if (cell.layer.getType()->name.contains("batchnorm"))
    output = cell.batchNorm("rp_t_batchnorm", dim).from(output);
  cell.layer.setOutput(output, dim);
  cell.layer.addOutput("c_t", cell.writer.local("c_t"), cell.getCellDim());
}

static const LayerType kLayers[] = {
    {"lstm-layer",
     expandRecurrent<expandLstm>,
     {kRecurrenceKeys, kGateKeys, kLstmKeys}},
    {"lstmp-layer",
     expandRecurrent<expandLstmp>,
     {kRecurrenceKeys, kGateKeys, kLstmpKeys}},
    {"lstmp-batchnorm-layer",
     expandRecurrent<expandLstmp>,
     {kRecurrenceKeys, kGateKeys, kLstmpKeys}},
};

llvm::ArrayRef<LayerType> getLstmLayers() { return kLayers; }

} // namespace mlir::nnet3::xconfig
