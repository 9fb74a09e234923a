//===- NetworkDrawing.cpp - A network as boxes and arrows -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Target/Report/NetworkDrawing.h"
#include "nnet3/Dialect/Nnet3/Analysis/Descriptor.h"
#include "nnet3/Dialect/Nnet3/IR/ComponentOps.h"
#include "nnet3/Dialect/Nnet3/IR/StreamOps.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::nnet3;
using Kind = NetworkBox::Kind;

namespace mlir::nnet3 {
llvm::StringRef getName(NetworkBox::Kind kind) {
  switch (kind) {
  case Kind::Input:
    return "input";
  case Kind::Component:
    return "component";
  case Kind::DimRange:
    return "dim-range";
  case Kind::Output:
    return "output";
  case Kind::Descriptor:
    return "descriptor";
  }
  llvm_unreachable("unknown kind of box");
}
} // namespace mlir::nnet3

namespace {
class Drawer {
public:
  explicit Drawer(NetworkOp network) : network(network), symbols(network) {}

  NetworkDrawing draw();

private:
  NetworkBox getBox(Operation &op);
  void describeComponent(ComponentNodeOp node, NetworkBox &box);
  void addArrows(Operation &op);
  void addStates();
  void findRecurrences();

  NetworkOp network;
  SymbolTable symbols;
  NetworkDrawing drawing;
  /// Only looked up, never iterated.
  DenseMap<Operation *, int32_t> boxes;
};
} // namespace

static std::string formatOffset(StringRef variable, int32_t offset) {
  return (variable + (offset < 0 ? "" : "+") + Twine(offset)).str();
}

/// Returns a label for a descriptor with one operand; empty for other
/// operations.
static std::string getLabel(Operation *op) {
  return TypeSwitch<Operation *, std::string>(op)
      .Case([](OffsetOp op) {
        std::string label = op.getT() || !op.getX()
                                ? formatOffset("t", op.getT())
                                : std::string();
        if (op.getX())
          label += (label.empty() ? "" : " ") + formatOffset("x", op.getX());
        return label;
      })
      .Case([](ScaleOp op) {
        return "times " + formatReal(op.getAlpha().convertToFloat());
      })
      .Case([](RoundOp op) {
        return "t to multiple of " + std::to_string(op.getModulus());
      })
      .Case([](ReplaceIndexOp op) {
        return (stringifyIndexVariable(op.getVariable()) + " = " +
                Twine(op.getValue()))
            .str();
      })
      .Case([](IfDefinedOp) { return std::string("if defined"); })
      .Default([](Operation *) { return std::string(); });
}

/// Follows descriptors with one operand back to a box, and returns it with the
/// combined label.
static std::pair<Operation *, std::string> followLabels(Value value) {
  std::string label;
  Operation *op = value.getDefiningOp();
  for (std::string part = getLabel(op); !part.empty(); part = getLabel(op)) {
    label = label.empty() ? part : part + ", " + label;
    op = op->getOperand(0).getDefiningOp();
  }
  return {op, label};
}

void Drawer::describeComponent(ComponentNodeOp node, NetworkBox &box) {
  box.component = node.getComponent().str();
  auto component = symbols.lookup<ComponentOpInterface>(node.getComponent());
  if (!component)
    return;
  box.detail = component.getKaldiType().str();
  for (const TensorSpec &spec : component.getTensors())
    if (spec.isParameter && component->hasAttr(spec.name))
      box.numParameters += ShapedType::getNumElements(spec.shape);
}

NetworkBox Drawer::getBox(Operation &op) {
  NetworkBox box;
  box.kind = TypeSwitch<Operation &, Kind>(op)
                 .Case([](InputNodeOp) { return Kind::Input; })
                 .Case([](ComponentNodeOp) { return Kind::Component; })
                 .Case([](DimRangeNodeOp) { return Kind::DimRange; })
                 .Case([](OutputNodeOp) { return Kind::Output; })
                 .Default([](Operation &) { return Kind::Descriptor; });
  Value rows = op.getNumResults() ? op.getResult(0) : op.getOperand(0);
  box.dim = cast<RowsType>(rows.getType()).getDim();
  if (auto name = op.getAttrOfType<StringAttr>("name"))
    box.name = name.str();
  else
    box.name = op.getName().stripDialect().str();
  if (auto node = dyn_cast<ComponentNodeOp>(op))
    describeComponent(node, box);
  if (auto range = dyn_cast<DimRangeNodeOp>(op))
    box.detail = "columns " + std::to_string(range.getDimOffset()) + " to " +
                 std::to_string(range.getDimOffset() + box.dim - 1);
  if (auto constant = dyn_cast<ConstOp>(op))
    box.detail = formatReal(constant.getValue().convertToFloat());
  return box;
}

void Drawer::addArrows(Operation &op) {
  for (Value operand : op.getOperands()) {
    auto [source, label] = followLabels(operand);
    drawing.arrows.push_back({boxes.lookup(source), boxes.lookup(&op), label});
  }
}

/// Finds recurrences: arrows to a box on the current depth-first path.
void Drawer::findRecurrences() {
  std::vector<std::vector<size_t>> outgoing(drawing.boxes.size());
  for (auto [i, arrow] : llvm::enumerate(drawing.arrows))
    outgoing[arrow.from].push_back(i);
  enum State : char { New, OnPath, Done };
  std::vector<State> states(drawing.boxes.size(), New);
  for (size_t root = 0; root < states.size(); ++root) {
    if (states[root] != New)
      continue;
    // The path, with the number of the next arrow of each box.
    std::vector<std::pair<size_t, size_t>> path = {{root, 0}};
    states[root] = OnPath;
    while (!path.empty()) {
      auto &[box, next] = path.back();
      if (next == outgoing[box].size()) {
        states[box] = Done;
        path.pop_back();
        continue;
      }
      NetworkArrow &arrow = drawing.arrows[outgoing[box][next++]];
      arrow.isRecurrent = states[arrow.to] == OnPath;
      if (states[arrow.to] != New)
        continue;
      states[arrow.to] = OnPath;
      path.push_back({arrow.to, 0});
    }
  }
}

/// Describes a state, for example `3 rows, t = -3 to -1`.
static std::string describeState(StreamStateOp state) {
  const SmallVector<Index> rows = state.getIndexes().expand();
  if (rows.empty())
    return "no rows";
  std::string text =
      std::to_string(rows.size()) + (rows.size() == 1 ? " row" : " rows");
  text += ", t = " + std::to_string(rows.front().t);
  if (rows.size() > 1)
    text += " to " + std::to_string(rows.back().t);
  return text;
}

/// Adds the states that streams of the network keep.
void Drawer::addStates() {
  for (auto stream : network->getBlock()->getOps<StreamOp>()) {
    if (stream.getNetwork() != network.getSymName())
      continue;
    for (auto state : stream.getBody().getOps<StreamStateOp>())
      for (NetworkBox &box : drawing.boxes)
        if (box.name == state.getNode() && box.kind != Kind::Descriptor)
          box.state = describeState(state);
  }
}

NetworkDrawing Drawer::draw() {
  drawing.name = network.getSymName().str();
  auto hasBox = [](Operation &op) {
    return !isa<ComponentOpInterface>(op) && getLabel(&op).empty() &&
           (op.getNumResults() == 0 || !op.use_empty() || op.hasAttr("name"));
  };
  for (Operation &op : network.getBody().front())
    if (hasBox(op)) {
      boxes[&op] = drawing.boxes.size();
      drawing.boxes.push_back(getBox(op));
    }
  for (Operation &op : network.getBody().front())
    if (hasBox(op))
      addArrows(op);
  findRecurrences();
  addStates();
  return std::move(drawing);
}

NetworkDrawing NetworkDrawing::get(NetworkOp network) {
  return Drawer(network).draw();
}
