//===- NetworkInfo.cpp - Info text of networks ----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "InfoWriter.h"
#include "nnet3/Compile/Context.h"
#include "nnet3/Dialect/Nnet3/Analysis/Descriptor.h"
#include "nnet3/Dialect/Nnet3/IR/ComponentParts.h"
#include "nnet3/Target/Kaldi/ModelInfo.h"
#include "nnet3/Target/Kaldi/TensorData.h"

#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/Format.h"

using namespace mlir;
using namespace mlir::nnet3;

//===----------------------------------------------------------------------===//
// Nodes
//===----------------------------------------------------------------------===//

static void writeNode(Operation *op, raw_ostream &os) {
  llvm::TypeSwitch<Operation *>(op)
      .Case([&](InputNodeOp input) {
        os << "input-node name=" << input.getName()
           << " dim=" << input.getResult().getType().getDim() << '\n';
      })
      .Case([&](ComponentNodeOp component) {
        os << "component-node name=" << component.getName()
           << " component=" << component.getComponent() << " input=";
        print(readDescriptor(component.getInput()), os);
        os << " input-dim=" << component.getInput().getType().getDim()
           << " output-dim=" << component.getResult().getType().getDim()
           << '\n';
      })
      .Case([&](DimRangeNodeOp range) {
        os << "dim-range-node name=" << range.getName()
           << " input-node=" << readDescriptor(range.getSource()).name
           << " dim-offset=" << range.getDimOffset()
           << " dim=" << range.getResult().getType().getDim() << '\n';
      })
      .Case([&](OutputNodeOp output) {
        os << "output-node name=" << output.getName() << " input=";
        print(readDescriptor(output.getInput()), os);
        os << " dim=" << output.getInput().getType().getDim()
           << " objective=" << stringifyObjective(output.getObjective())
           << '\n';
      });
}

/// Returns the number of columns of the input or output node `name`; none if
/// there is no such node.
template <typename Node>
static std::optional<int64_t> findDim(NetworkOp network, StringRef name) {
  for (auto node : network.getOps<Node>())
    if (node.getName() == name) {
      if constexpr (std::is_same_v<Node, InputNodeOp>)
        return node.getResult().getType().getDim();
      else
        return node.getInput().getType().getDim();
    }
  return std::nullopt;
}

/// Returns true if the network has a left and right context (spec: formats.md
/// 1.3).
static bool isSimple(NetworkOp network) {
  return findDim<OutputNodeOp>(network, "output") &&
         findDim<InputNodeOp>(network, "input") &&
         llvm::all_of(network.getOps<InputNodeOp>(), [](InputNodeOp node) {
           return node.getName() == "input" || node.getName() == "ivector";
         });
}

//===----------------------------------------------------------------------===//
// Networks
//===----------------------------------------------------------------------===//

int64_t mlir::nnet3::countParameters(NetworkOp network) {
  int64_t count = 0;
  for (auto component : network.getOps<ComponentOpInterface>())
    forEachPart(component, [&](ComponentOpInterface part, StringRef) {
      if (!has(part.getComponentProperties(), ComponentProperties::Updatable))
        return;
      for (const TensorSpec &tensor : part.getTensors())
        if (tensor.isParameter)
          count += ShapedType::getNumElements(tensor.shape);
    });
  return count;
}

int64_t mlir::nnet3::countMultiplyAdds(NetworkOp network) {
  SymbolTable symbols(network);
  int64_t count = 0;
  for (auto node : network.getOps<ComponentNodeOp>())
    forEachPart(symbols.lookup<ComponentOpInterface>(node.getComponent()),
                [&](ComponentOpInterface part, StringRef) {
                  count += part.countMultiplyAdds();
                });
  return count;
}

LogicalResult mlir::nnet3::writeNetworkInfo(NetworkOp network, raw_ostream &os,
                                            int32_t verbose) {
  auto nodes = NodeTable::get(network);
  if (failed(nodes))
    return failure();
  if (isSimple(network)) {
    auto context = computeContext(network, *nodes);
    if (failed(context))
      return failure();
    os << "left-context: " << context->left
       << "\nright-context: " << context->right << '\n';
  }
  os << "num-parameters: " << countParameters(network)
     << "\nmodulus: " << nodes->getModulus() << '\n';
  for (Operation &op : network.getBody().front())
    writeNode(&op, os);
  for (auto component : network.getOps<ComponentOpInterface>()) {
    os << "component name=" << SymbolTable::getSymbolName(component).getValue()
       << " type=";
    if (failed(writeComponentInfo(component, os, verbose)))
      return failure();
    os << '\n';
  }
  return success();
}

/// Writes the number of priors and a summary of their values.
static LogicalResult writePriors(NetworkOp network, raw_ostream &os) {
  std::vector<float> storage;
  ArrayRef<float> priors;
  if (ElementsAttr tensor = network.getPriorsAttr()) {
    auto values = getTensorData(tensor, storage);
    if (!values)
      return network.emitError("the priors have no values");
    priors = *values;
  }
  os << "prior-dimension: " << priors.size() << '\n';
  if (priors.empty())
    return success();
  double sum = 0;
  for (float prior : priors)
    sum += prior;
  auto [least, most] = std::minmax_element(priors.begin(), priors.end());
  os << "prior-sum: " << llvm::format("%.6g", double(float(sum)))
     << "\nprior-min: " << llvm::format("%.6g", double(*least))
     << "\nprior-max: " << llvm::format("%.6g", double(*most)) << '\n';
  return success();
}

LogicalResult mlir::nnet3::writeAcousticModelInfo(NetworkOp network,
                                                  raw_ostream &os,
                                                  int32_t verbose) {
  auto getDim = [](std::optional<int64_t> dim) { return dim.value_or(-1); };
  os << "input-dim: " << getDim(findDim<InputNodeOp>(network, "input"))
     << "\nivector-dim: " << getDim(findDim<InputNodeOp>(network, "ivector"))
     << "\nnum-pdfs: " << getDim(findDim<OutputNodeOp>(network, "output"))
     << '\n';
  if (failed(writePriors(network, os)))
    return failure();
  os << "# Nnet info follows.\n";
  return writeNetworkInfo(network, os, verbose);
}
