//===- DiffText.cpp - Text about differences of models --------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "DiffReport.h"

#include "llvm/ADT/Sequence.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir::nnet3;
using llvm::raw_ostream;
using llvm::StringRef;

static void printSize(StringRef file, const NetworkSize &size,
                      raw_ostream &os) {
  os << file << ": " << size.numNodes << " nodes, " << size.numComponents
     << " components, " << size.numParameters << " parameters, "
     << size.numMultiplyAdds << " multiply-adds per row\n";
}

static void printItems(StringRef kind, const std::vector<ItemDifference> &items,
                       int64_t count, raw_ostream &os) {
  if (items.empty()) {
    os << kind << ": the same " << count << "\n";
    return;
  }
  os << kind << ": " << items.size() << " differ\n";
  for (const ItemDifference &item : items) {
    if (!item.before.empty())
      os << "- " << item.name << ": " << item.before << "\n";
    if (!item.after.empty())
      os << "+ " << item.name << ": " << item.after << "\n";
  }
}

static std::string describeShape(const std::vector<int64_t> &shape) {
  return llvm::join(
      llvm::map_range(shape, [](int64_t dim) { return std::to_string(dim); }),
      " x ");
}

static void printTensor(const TensorDifference &tensor, raw_ostream &os) {
  os << "  " << tensor.component << "." << tensor.tensor << " ("
     << describeShape(tensor.shapeBefore) << "): norm "
     << llvm::format("%.4g", tensor.normBefore) << " -> "
     << llvm::format("%.4g", tensor.normAfter);
  if (!tensor.normOfChange) {
    os << ", now " << describeShape(tensor.shapeAfter) << "\n";
    return;
  }
  os << ", relative change " << llvm::format("%.3g", tensor.getRelativeChange())
     << ", largest at " << tensor.describeElement() << ": "
     << llvm::format("%.4g -> %.4g", double(tensor.elementBefore),
                     double(tensor.elementAfter))
     << "\n";
}

/// Prints the different tensors of one kind, largest changes first.
static void printTensors(const NetworkDifference &network, bool isParameter,
                         int32_t maxLines, raw_ostream &os) {
  std::vector<const TensorDifference *> changed;
  size_t count = 0;
  for (const TensorDifference &tensor : network.tensors) {
    if (tensor.isParameter != isParameter)
      continue;
    ++count;
    if (!tensor.isSame())
      changed.push_back(&tensor);
  }
  if (count == 0)
    return;
  auto getOrder = [](const TensorDifference *tensor) {
    return tensor->normOfChange ? tensor->getRelativeChange()
                                : std::numeric_limits<double>::infinity();
  };
  // All pointers are into one vector, so equal changes keep its order.
  llvm::sort(changed, [&](auto *a, auto *b) {
    return std::pair(-getOrder(a), a) < std::pair(-getOrder(b), b);
  });
  os << (isParameter ? "parameters: " : "statistics: ") << changed.size()
     << " of " << count << " tensors differ\n";
  for (const TensorDifference *tensor : changed) {
    if (maxLines-- == 0) {
      os << "  ...\n";
      break;
    }
    printTensor(*tensor, os);
  }
}

static void printOutput(const OutputDifference &output, int32_t maxLines,
                        raw_ostream &os) {
  output.all.print(os, "output", "the second model against the first");
  if (output.worstKey.empty())
    return;
  os << "largest difference: utterance " << output.worstKey << ", row "
     << output.worstRow << ", column " << output.worstColumn << ": "
     << llvm::format("%.4g -> %.4g", double(output.worstBefore),
                     double(output.worstAfter))
     << "\n";
  std::vector<const UtteranceDifference *> order;
  for (const UtteranceDifference &utterance : output.utterances)
    order.push_back(&utterance);
  llvm::sort(order, [](auto *a, auto *b) {
    return std::pair(-a->relativeRms, a) < std::pair(-b->relativeRms, b);
  });
  for (const UtteranceDifference *utterance : order) {
    if (maxLines-- == 0) {
      os << "  ...\n";
      break;
    }
    os << "  " << utterance->key << ": " << utterance->numRows << " rows, "
       << llvm::format("rms error / rms %.3g, max abs %.3g",
                       utterance->relativeRms, utterance->maxAbsolute)
       << "\n";
  }
}

void mlir::nnet3::printDiff(const DiffReport &report, int32_t maxLines,
                            raw_ostream &os) {
  const NetworkDifference &network = report.network;
  printSize(report.before, network.before, os);
  printSize(report.after, network.after, os);
  if (network.isEmpty()) {
    os << "the models are equal\n";
  } else {
    printItems("nodes", network.nodes, network.before.numNodes, os);
    printItems("components", network.components, network.before.numComponents,
               os);
    printTensors(network, /*isParameter=*/true, maxLines, os);
    printTensors(network, /*isParameter=*/false, maxLines, os);
  }
  if (report.output)
    printOutput(*report.output, maxLines, os);
}
