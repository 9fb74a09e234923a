//===- Dot.cpp - Networks and computations for Graphviz -------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Target/Report/Dot.h"
#include "nnet3/Target/Report/Dataflow.h"

using namespace mlir::nnet3;
using llvm::StringRef;
using Kind = NetworkBox::Kind;

/// Returns `text` as a quoted string of the DOT language.
static std::string quote(StringRef text) {
  std::string result = "\"";
  for (char c : text) {
    if (c == '\n') {
      result += "\\n";
      continue;
    }
    if (c == '"' || c == '\\')
      result += '\\';
    result += c;
  }
  return result + "\"";
}

DotWriter::DotWriter(llvm::raw_ostream &os) : os(os) {
  os << "digraph nnet3 {\n"
        "  node [shape=box, style=\"filled,rounded\", fillcolor=white, "
        "fontname=Helvetica, fontsize=11];\n"
        "  edge [fontname=Helvetica, fontsize=9, color=gray40];\n";
}

DotWriter::~DotWriter() { os << "}\n"; }

void DotWriter::beginCluster(StringRef title) {
  os << "  subgraph cluster" << numClusters << " {\n    label=" << quote(title)
     << ";\n    fontname=Helvetica;\n    color=gray70;\n";
}

//===----------------------------------------------------------------------===//
// Networks
//===----------------------------------------------------------------------===//

/// Returns the shape and colour of a node.
static StringRef getStyle(Kind kind) {
  switch (kind) {
  case Kind::Input:
    return "shape=ellipse, fillcolor=\"#cdebdf\"";
  case Kind::Component:
    return "fillcolor=\"#dbe8f7\"";
  case Kind::DimRange:
    return "shape=cds, fillcolor=\"#ece5f5\"";
  case Kind::Output:
    return "shape=ellipse, peripheries=2, fillcolor=\"#fbe3c4\"";
  case Kind::Descriptor:
    return "shape=box, style=filled, color=gray70, fillcolor=gray95, "
           "fontsize=9, height=0.2";
  }
  llvm_unreachable("unknown kind of box");
}

static std::string getText(const NetworkBox &box) {
  std::string text = box.name;
  if (!box.component.empty() && box.component != box.name)
    text += " @" + box.component;
  if (!box.detail.empty())
    text += (box.kind == Kind::Descriptor ? " " : "\n") + box.detail;
  text += "\n" + std::to_string(box.dim);
  return box.state.empty() ? text : text + "\nkeeps " + box.state;
}

void DotWriter::add(const NetworkDrawing &network) {
  beginCluster("network @" + network.name);
  std::string prefix = "n" + std::to_string(numClusters++) + "_";
  for (auto [i, box] : llvm::enumerate(network.boxes))
    os << "    " << prefix << i << " [label=" << quote(getText(box)) << ", "
       << getStyle(box.kind) << (box.state.empty() ? "" : ", penwidth=3")
       << "];\n";
  for (const NetworkArrow &arrow : network.arrows) {
    os << "    " << prefix << arrow.from << " -> " << prefix << arrow.to
       << " [label=" << quote(arrow.label);
    if (arrow.isRecurrent)
      os << ", style=dashed, color=\"#c0392b\", constraint=false";
    os << "];\n";
  }
  os << "  }\n";
}

//===----------------------------------------------------------------------===//
// Computations
//===----------------------------------------------------------------------===//

/// Returns the shape and colour of a command, by its pass and by whether it
/// computes.
static StringRef getStyle(const SummaryCommand &command) {
  if (command.operands.empty())
    return "shape=hexagon, fillcolor=gray80";
  if (command.kind == "accept_input")
    return "shape=ellipse, fillcolor=\"#cdebdf\"";
  if (command.kind == "provide_output")
    return "shape=ellipse, peripheries=2, fillcolor=\"#fbe3c4\"";
  if (llvm::none_of(command.operands, [](auto &o) { return o.reads; }))
    return "fontsize=9, color=gray60, fillcolor=gray95";
  return command.isBackward ? "fillcolor=\"#f9ddd5\"" : "fillcolor=\"#dbe8f7\"";
}

void DotWriter::writeCommands(const ComputationSummary &computation) {
  for (auto [i, command] : llvm::enumerate(computation.commands)) {
    std::string text = "c" + std::to_string(i) + " " + command.kind;
    if (!command.subject.empty())
      text += "\n" + command.subject;
    os << "    c" << numClusters << "_" << i << " [label=" << quote(text)
       << ", tooltip=" << quote(command.text) << ", " << getStyle(command)
       << "];\n";
  }
}

/// Writes commands without matrices between their neighbours.
void DotWriter::writeMarkers(const ComputationSummary &computation) {
  auto writeOrder = [&](size_t from) {
    if (from + 1 < computation.commands.size())
      os << "    c" << numClusters << "_" << from << " -> c" << numClusters
         << "_" << from + 1 << " [style=dotted, arrowhead=none];\n";
  };
  for (auto [i, command] : llvm::enumerate(computation.commands))
    if (command.operands.empty()) {
      if (i > 0 && !computation.commands[i - 1].operands.empty())
        writeOrder(i - 1);
      writeOrder(i);
    }
}

void DotWriter::add(const ComputationSummary &computation) {
  beginCluster("computation @" + computation.name);
  writeCommands(computation);
  writeMarkers(computation);
  std::string prefix = "c" + std::to_string(numClusters++) + "_";
  for (const Flow &flow : getDataflow(computation)) {
    os << "    " << prefix << flow.from << " -> " << prefix << flow.to
       << " [label=";
    if (flow.matrix < 0) {
      os << "memo, style=dashed];\n";
      continue;
    }
    const SummaryMatrix &matrix = computation.matrices[flow.matrix];
    os << quote((matrix.name + " " + llvm::Twine(matrix.rows) + "x" +
                 llvm::Twine(matrix.cols))
                    .str());
    if (flow.isStorage)
      os << ", style=dotted";
    os << "];\n";
  }
  os << "  }\n";
}
