//===- InferLayout.cpp - Inferring axes of inputs from readers ------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "OnnxImporter.h"

#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace mlir::nnet3;

/// Maximum number of tensors to visit, which bounds the time.
static constexpr int kMaxTensors = 4096;
/// Maximum length of a chain of nodes.
static constexpr int kMaxDepth = 64;

/// Returns the layout that a node expects of its first input; empty if unknown.
static StringRef getExpectedLayout(const OnnxNode &node, size_t rank) {
  StringRef kind = node.getKind();
  if (rank == 3)
    return llvm::StringSwitch<StringRef>(kind)
        .Cases({"Conv", "BatchNormalization"}, "NCT")
        .Case("MatMul", "NTC")
        .Case("LSTM", node.getInt("layout", 0) == 1 ? "NTC" : "TNC")
        .Default("");
  if (rank == 2)
    return llvm::StringSwitch<StringRef>(kind)
        .Cases({"MatMul", "Gemm", "BatchNormalization"}, "TC")
        .Default("");
  return "";
}

/// Returns true if the node's output has the axes of its non-constant inputs.
static bool keepsAxes(StringRef kind) {
  return llvm::StringSwitch<bool>(kind)
      .Cases({"Identity", "Dropout", "Cast", "Relu", "Sigmoid", "Tanh"}, true)
      .Cases({"Add", "Sub", "Mul", "Div", "Slice", "Split", "Concat", "Pad"},
             true)
      .Default(false);
}

static std::string infer(const OnnxImporter &importer, StringRef tensor,
                         size_t rank, int depth, int &numTensors) {
  if (depth == kMaxDepth || ++numTensors > kMaxTensors)
    return "";
  for (const OnnxReader &reader : importer.getReaders(tensor)) {
    if (!reader.node || reader.node->output_size() == 0)
      continue;
    OnnxNode node(*reader.node, importer.getLoc(*reader.node));
    if (reader.input == 0)
      if (StringRef layout = getExpectedLayout(node, rank); !layout.empty())
        return layout.str();
    if (keepsAxes(node.getKind())) {
      std::string layout =
          infer(importer, node.getOutput(), rank, depth + 1, numTensors);
      if (!layout.empty())
        return layout;
    }
    auto permutation = node.getInts("perm");
    if (node.getKind() != "Transpose" || !permutation ||
        permutation->size() != rank)
      continue;
    std::string permuted =
        infer(importer, node.getOutput(), rank, depth + 1, numTensors);
    std::string layout(permuted.size(), ' ');
    for (auto [i, axis] : llvm::enumerate(*permutation))
      if (axis >= 0 && size_t(axis) < layout.size())
        layout[axis] = permuted[i];
    if (!layout.empty())
      return layout;
  }
  return "";
}

std::string mlir::nnet3::inferLayout(const OnnxImporter &importer,
                                     StringRef tensor, size_t rank) {
  int numTensors = 0;
  return infer(importer, tensor, rank, /*depth=*/0, numTensors);
}
