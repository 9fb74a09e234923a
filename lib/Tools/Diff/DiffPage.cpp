//===- DiffPage.cpp - HTML page about differences of models ---------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "DiffReport.h"
#include "nnet3/Target/Report/HtmlPage.h"

#include "llvm/Support/JSON.h"

using namespace mlir::nnet3;
namespace json = llvm::json;
using llvm::StringRef;

static constexpr char kTemplate[] =
#include "DiffTemplate.inc"
    ;
static constexpr char kStyle[] =
#include "DiffStyle.inc"
    ;
static constexpr char kScript[] =
#include "DiffScript.inc"
    ;

/// Names may contain any bytes.
static json::Value makeText(StringRef text) { return json::fixUTF8(text); }

/// Writes numbers that JSON does not have as strings.
static json::Value makeNumber(double value) {
  if (std::isfinite(value))
    return value;
  return std::isnan(value) ? "nan" : "inf";
}

static json::Array makeItems(const std::vector<ItemDifference> &items) {
  json::Array array;
  for (const ItemDifference &item : items)
    array.push_back(json::Object{{"name", makeText(item.name)},
                                 {"before", makeText(item.before)},
                                 {"after", makeText(item.after)}});
  return array;
}

static json::Object makeTensor(const TensorDifference &tensor) {
  json::Object object{{"component", makeText(tensor.component)},
                      {"tensor", makeText(tensor.tensor)},
                      {"parameter", tensor.isParameter},
                      {"shapeBefore", json::Array(tensor.shapeBefore)},
                      {"shapeAfter", json::Array(tensor.shapeAfter)},
                      {"normBefore", makeNumber(tensor.normBefore)},
                      {"normAfter", makeNumber(tensor.normAfter)}};
  if (!tensor.normOfChange)
    return object;
  object["change"] = makeNumber(tensor.getRelativeChange());
  object["largest"] = tensor.describeElement();
  object["elementBefore"] = makeNumber(tensor.elementBefore);
  object["elementAfter"] = makeNumber(tensor.elementAfter);
  return object;
}

static json::Object makeModel(StringRef file, const NetworkSize &size) {
  return json::Object{{"file", makeText(file)},
                      {"nodes", size.numNodes},
                      {"components", size.numComponents},
                      {"parameters", size.numParameters},
                      {"multiply-adds per row", size.numMultiplyAdds}};
}

static json::Object makeOutput(const OutputDifference &output) {
  json::Array utterances;
  for (const UtteranceDifference &utterance : output.utterances)
    utterances.push_back(
        json::Object{{"key", makeText(utterance.key)},
                     {"rows", utterance.numRows},
                     {"rms", makeNumber(utterance.relativeRms)},
                     {"largest", makeNumber(utterance.maxAbsolute)},
                     {"argmax", makeNumber(utterance.argmaxShare)}});
  return json::Object{{"rows", output.numRows},
                      {"columns", output.numColumns},
                      {"rms", makeNumber(output.all.getRelativeRms())},
                      {"largest", makeNumber(output.all.getMaxAbsolute())},
                      {"argmax", makeNumber(output.all.getArgmaxShare())},
                      {"utterances", std::move(utterances)}};
}

void mlir::nnet3::writeDiffPage(const DiffReport &report,
                                llvm::raw_ostream &os) {
  const NetworkDifference &network = report.network;
  json::Array tensors;
  for (const TensorDifference &tensor : network.tensors)
    tensors.push_back(makeTensor(tensor));
  json::Object data{{"before", makeModel(report.before, network.before)},
                    {"after", makeModel(report.after, network.after)},
                    {"nodes", makeItems(network.nodes)},
                    {"components", makeItems(network.components)},
                    {"tensors", std::move(tensors)}};
  if (report.output)
    data["output"] = makeOutput(*report.output);
  std::string text;
  llvm::raw_string_ostream(text) << json::Value(std::move(data));
  writeHtmlPage({kTemplate, kStyle, kScript}, text, os);
}
