//===- ReportData.cpp - Data of a report page -----------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Target/Report/Report.h"

#include "llvm/Support/JSON.h"

using namespace mlir::nnet3;
using llvm::StringRef;
using llvm::json::OStream;

/// Names in MLIR may contain any bytes.
static std::string fixName(StringRef name) {
  return llvm::json::isUTF8(name) ? name.str() : llvm::json::fixUTF8(name);
}

static void writeBox(OStream &json, const NetworkBox &box) {
  json.object([&] {
    json.attribute("kind", getName(box.kind));
    json.attribute("name", fixName(box.name));
    if (!box.component.empty())
      json.attribute("component", fixName(box.component));
    if (!box.detail.empty())
      json.attribute("detail", fixName(box.detail));
    json.attribute("dim", box.dim);
    if (box.numParameters)
      json.attribute("parameters", box.numParameters);
    if (!box.state.empty())
      json.attribute("state", box.state);
    if (!box.precision.empty())
      json.attribute("precision", box.precision);
  });
}

static void writeNetwork(OStream &json, const NetworkDrawing &network) {
  json.attribute("name", fixName(network.name));
  json.attributeArray("boxes", [&] {
    for (const NetworkBox &box : network.boxes)
      writeBox(json, box);
  });
  json.attributeArray("arrows", [&] {
    for (const NetworkArrow &arrow : network.arrows)
      json.object([&] {
        json.attribute("from", arrow.from);
        json.attribute("to", arrow.to);
        json.attribute("label", fixName(arrow.label));
        if (arrow.isRecurrent)
          json.attribute("recurrent", true);
      });
  });
}

/// Writes a command. An operand is a matrix and its access: 1 for reads, 2 for
/// writes.
static void writeCommand(OStream &json, const SummaryCommand &command) {
  json.object([&] {
    json.attribute("kind", command.kind);
    if (!command.subject.empty())
      json.attribute("subject", fixName(command.subject));
    json.attribute("text", fixName(command.text));
    if (command.isBackward)
      json.attribute("backward", true);
    if (command.multiplyAdds)
      json.attribute("multiplyAdds", command.multiplyAdds);
    json.attributeArray("operands", [&] {
      for (const SummaryOperand &operand : command.operands) {
        json.value(operand.matrix);
        json.value(operand.reads + 2 * operand.writes);
      }
    });
  });
}

static void writeMatrix(OStream &json, const SummaryMatrix &matrix) {
  json.object([&] {
    json.attribute("name", matrix.name);
    json.attribute("rows", matrix.rows);
    json.attribute("cols", matrix.cols);
    json.attribute("bytes", matrix.bytes);
    json.attribute("begin", matrix.begin);
    json.attribute("end", matrix.end);
    StringRef role = matrix.isInput      ? "input"
                     : matrix.isOutput   ? "output"
                     : matrix.isBackward ? "backward"
                                         : "forward";
    json.attribute("role", role);
  });
}

static void writeComputation(OStream &json,
                             const ComputationSummary &computation) {
  json.attributeObject("size", [&] {
    json.attribute("commands", computation.size.commands);
    json.attribute("matrices", computation.size.matrices);
    json.attribute("bytes", computation.size.bytes);
    json.attribute("peak", computation.size.peak);
  });
  json.attributeArray("commands", [&] {
    for (const SummaryCommand &command : computation.commands)
      writeCommand(json, command);
  });
  json.attributeArray("matrices", [&] {
    for (const SummaryMatrix &matrix : computation.matrices)
      writeMatrix(json, matrix);
  });
  json.attributeArray("live", [&] {
    for (int64_t bytes : computation.getLiveBytes())
      json.value(bytes);
  });
}

std::string mlir::nnet3::getReportData(const Report &report) {
  std::string text;
  llvm::raw_string_ostream os(text);
  OStream json(os);
  json.object([&] {
    json.attribute("source", fixName(report.source));
    json.attribute("version", report.version);
    json.attribute("time", report.time);
    json.attributeArray("networks", [&] {
      for (const NetworkDrawing &network : report.networks)
        json.object([&] { writeNetwork(json, network); });
    });
    json.attributeArray("computations", [&] {
      for (const ReportComputation &computation : report.computations)
        json.object([&] {
          json.attribute("name", fixName(computation.after.name));
          json.attribute("network", int64_t(computation.network));
          json.attributeObject(
              "before", [&] { writeComputation(json, computation.before); });
          json.attributeObject(
              "after", [&] { writeComputation(json, computation.after); });
        });
    });
  });
  return text;
}
