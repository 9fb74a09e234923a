//===- FastGruLayers.cpp - GRUs with a single nonlinearity ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Recurrence.h"

namespace mlir::nnet3::xconfig {

static constexpr LayerKey kFastKeys[] = {
    textKey("gru-nonlinearity-options", " max-change=0.75")};

//===----------------------------------------------------------------------===//
// Parts
//===----------------------------------------------------------------------===//

/// Writes a gate with affine map `map`.
static std::string writeGate(const Recurrence &cell, llvm::StringRef gate,
                             llvm::StringRef map, int64_t dim,
                             llvm::StringRef dropout) {
  return cell.gate(gate, map, dim, dropout, (gate + "_t_predrop").str());
}

/// Writes `hpart_t`, the input's part of the candidate.
static std::string writeCandidate(const Recurrence &cell) {
  cell.affine("W_hpart.x", cell.getInputDim(), cell.getCellDim()).define();
  return cell.node("hpart_t", "W_hpart.x", cell.layer.getInput());
}

/// Begins the cell component, which outputs the candidate and the state.
static Component makeCell(const Recurrence &cell, llvm::StringRef type) {
  return cell.writer.component("gru_nonlin", type)
      .set("cell-dim", cell.getCellDim())
      .options("gru-nonlinearity-options");
}

/// Writes the output `y_t`, a projection of `state` by `map`. The first columns
/// of the projection, node `part`, are truncated to the recurrent part `s_t`.
/// With batch norm the recurrent part is taken before the batch norm.
static void writeOutput(const Recurrence &cell, llvm::StringRef map,
                        const std::string &state, llvm::StringRef part) {
  Layer &layer = cell.layer;
  int64_t dim = cell.getProjectionDim(), recurrent = cell.getRecurrentDim();
  bool norm = layer.getType()->name.starts_with("fast-norm");
  cell.affine(map, cell.getCellDim(), dim).define();
  cell.truncation("s_r", recurrent).define();
  llvm::StringRef projection = norm ? "y_t_tmp" : "y_t";
  if (norm) {
    cell.batchNorm("batchnorm", dim).define();
    cell.renorm("renorm", recurrent).define();
  }
  std::string output = cell.node(projection, map, state);
  if (norm)
    output = cell.node("y_t", "batchnorm", output);
  std::string recurs = cell.range(part, projection, 0, recurrent);
  if (norm)
    recurs = cell.node("s_t_renorm", "renorm", recurs);
  cell.node("s_t", "s_r", recurs);
  layer.setOutput(output, dim);
  layer.addOutput("c_t", cell.local("c_t"), cell.getCellDim());
}

//===----------------------------------------------------------------------===//
// Layers
//===----------------------------------------------------------------------===//

static void expandGru(const Recurrence &cell) {
  int64_t dim = cell.getCellDim();
  std::string update = writeGate(cell, "z", "W_z.xh", dim, "");
  std::string reset = writeGate(cell, "r", "W_r.xh", dim, "");
  std::string candidate = writeCandidate(cell);
  makeCell(cell, "GruNonlinearityComponent").define();
  cell.truncation("s_r", dim).define();
  cell.node("gru_nonlin_t", "gru_nonlin",
            "Append(" + update + ", " + reset + ", " + candidate + ", " +
                cell.past("s_t") + ")");
  std::string state = cell.range("y_t", "gru_nonlin_t", dim, dim);
  cell.node("s_t", "s_r", state);
  cell.layer.setOutput(state, dim);
}

static void expandPgru(const Recurrence &cell) {
  int64_t dim = cell.getCellDim(), recurrent = cell.getRecurrentDim();
  if (cell.hasDropout()) {
    cell.dropout("dropout_z", dim).define();
    cell.dropout("dropout_r", recurrent).define();
  }
  std::string update = writeGate(cell, "z", "W_z.xs", dim, "dropout_z");
  std::string reset = writeGate(cell, "r", "W_r.xs", recurrent, "dropout_r");
  std::string candidate = writeCandidate(cell);
  makeCell(cell, "GruNonlinearityComponent")
      .set("recurrent-dim", recurrent)
      .define();
  cell.node("gru_nonlin_t", "gru_nonlin",
            "Append(" + update + ", " + reset + ", " + candidate + ", " +
                cell.past("c_t") + ", " + cell.past("s_t") + ")");
  std::string state = cell.range("c_t", "gru_nonlin_t", dim, dim);
  writeOutput(cell, "W_y.c", state, "s_t_pre");
}

static void expandOpgru(const Recurrence &cell) {
  int64_t dim = cell.getCellDim();
  if (cell.hasDropout())
    cell.dropout("dropout", dim).define();
  std::string update = writeGate(cell, "z", "W_z.xs", dim, "dropout");
  std::string output = writeGate(cell, "o", "W_o.xs", dim, "dropout");
  std::string candidate = writeCandidate(cell);
  makeCell(cell, "OutputGruNonlinearityComponent").define();
  cell.node("gru_nonlin_t", "gru_nonlin",
            "Append(" + update + ", " + candidate + ", " + cell.past("c_t") +
                ")");
  std::string state = cell.range("c_t", "gru_nonlin_t", dim, dim);
  state = cell.product("cdoto", dim).from(appendOf(state, output));
  bool norm = cell.layer.getType()->name == "fast-norm-opgru-layer";
  writeOutput(cell, "W_y.cdoto", state, norm ? "s_t_pre" : "s_t_preclip");
}

static const LayerType kLayers[] = {
    {"fast-gru-layer",
     expandRecurrent<expandGru>,
     {kRecurrenceKeys, kGateKeys, kFastKeys}},
    {"fast-pgru-layer",
     expandRecurrent<expandPgru>,
     {kRecurrenceKeys, kGateKeys, kFastKeys, kProjectionKeys}},
    {"fast-norm-pgru-layer",
     expandRecurrent<expandPgru>,
     {kRecurrenceKeys, kGateKeys, kFastKeys, kNormKeys}},
    {"fast-opgru-layer",
     expandRecurrent<expandOpgru>,
     {kRecurrenceKeys, kGateKeys, kFastKeys, kProjectionKeys}},
    {"fast-norm-opgru-layer",
     expandRecurrent<expandOpgru>,
     {kRecurrenceKeys, kGateKeys, kFastKeys, kNormKeys}},
};

llvm::ArrayRef<LayerType> getFastGruLayers() { return kLayers; }

} // namespace mlir::nnet3::xconfig
