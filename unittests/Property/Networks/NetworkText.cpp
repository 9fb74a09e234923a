//===- NetworkText.cpp - Writes networks as MLIR text ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "NetworkText.h"

#include <cstdio>

using namespace mlir::nnet3;
using namespace mlir::nnet3::property;

//===----------------------------------------------------------------------===//
// Expressions
//===----------------------------------------------------------------------===//

int Expr::dim() const {
  if (kind == Node)
    return node.dim;
  if (kind == Const)
    return t;
  int dim = 0;
  for (const Expr &arg : args) {
    dim += arg.dim();
    if (kind != Append)
      break;
  }
  return dim;
}

int Expr::numParts() const {
  if (args.empty())
    return 1;
  int parts = 0;
  for (const Expr &arg : args) {
    parts += arg.numParts();
    if (kind != Append)
      break;
  }
  return parts;
}

Expr mlir::nnet3::property::offset(Expr arg, int t, int x) {
  return Expr(Expr::Offset, {std::move(arg)}, t, x);
}
Expr mlir::nnet3::property::scale(float alpha, Expr arg) {
  Expr result(Expr::Scale, {std::move(arg)});
  result.alpha = alpha;
  return result;
}
Expr mlir::nnet3::property::constant(float value, int dim) {
  Expr result(Expr::Const, {}, dim);
  result.alpha = value;
  return result;
}
Expr mlir::nnet3::property::append(std::vector<Expr> args) {
  return Expr(Expr::Append, std::move(args));
}
Expr mlir::nnet3::property::sum(std::vector<Expr> args) {
  return Expr(Expr::Sum, std::move(args));
}
Expr mlir::nnet3::property::ifDefined(Expr arg) {
  return Expr(Expr::IfDefined, {std::move(arg)});
}
Expr mlir::nnet3::property::failover(Expr a, Expr b) {
  return Expr(Expr::Failover, {std::move(a), std::move(b)});
}

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

std::string mlir::nnet3::property::toText(float value) {
  char text[32];
  std::snprintf(text, sizeof(text), "%.8e", double(value));
  return text;
}

std::string mlir::nnet3::property::integer(const std::string &name, int value) {
  return name + " = " + std::to_string(value) + " : i64";
}

std::string mlir::nnet3::property::number(const std::string &name,
                                          double value) {
  return name + " = " + toText(float(value)) + " : f32";
}

std::string mlir::nnet3::property::array(const std::string &name,
                                         const std::vector<int> &values) {
  std::string list;
  for (int value : values)
    list += (list.empty() ? ": " : ", ") + std::to_string(value);
  return name + " = array<i64" + list + ">";
}

std::string mlir::nnet3::property::randomTensor(Random &random,
                                                const std::string &name,
                                                const std::vector<int> &shape,
                                                double mean, double range) {
  int rows = shape.size() == 2 ? shape[0] : 1;
  int cols = shape.back();
  std::string values, type;
  for (int dim : shape)
    type += std::to_string(dim) + "x";
  for (int r = 0; r < rows; ++r) {
    std::string row;
    for (int c = 0; c < cols; ++c)
      row += (c ? ", " : "") + toText(float(mean + random.real(-range, range)));
    values += (r ? ", [" : "[") + row + "]";
  }
  if (shape.size() == 2)
    values = "[" + values + "]";
  return name + " = dense<" + values + "> : tensor<" + type + "f32>";
}

static std::string rowsType(int dim) {
  return "!nnet3.rows<" + std::to_string(dim) + ">";
}

static const char *mnemonic(Expr::Kind kind) {
  switch (kind) {
  case Expr::Append:
    return "append";
  case Expr::Sum:
    return "sum";
  case Expr::Scale:
    return "scale";
  case Expr::Const:
    return "const";
  case Expr::Offset:
    return "offset";
  case Expr::Switch:
    return "switch";
  case Expr::Round:
    return "round";
  case Expr::ReplaceT:
  case Expr::ReplaceX:
    return "replace_index";
  case Expr::Failover:
    return "failover";
  case Expr::IfDefined:
    return "if_defined";
  case Expr::Node:
    break;
  }
  return "";
}

std::string NetworkText::emit(const Expr &expr) {
  if (expr.kind == Expr::Node)
    return "%" + expr.node.name;
  std::string operands, types;
  for (const Expr &arg : expr.args) {
    operands += (operands.empty() ? "" : ", ") + emit(arg);
    types += (types.empty() ? "" : ", ") + rowsType(arg.dim());
  }
  std::string t = std::to_string(expr.t), x = std::to_string(expr.x);
  std::string before, after, type = rowsType(expr.dim());
  switch (expr.kind) {
  case Expr::Append:
    type = "(" + types + ") -> " + type;
    break;
  case Expr::Scale:
    before = toText(expr.alpha) + ", ";
    break;
  case Expr::Const:
    before = toText(expr.alpha);
    break;
  case Expr::Offset:
    after = ", t = " + t + (expr.x ? ", x = " + x : "");
    break;
  case Expr::Round:
    after = ", " + t;
    break;
  case Expr::ReplaceT:
    after = ", t = " + t;
    break;
  case Expr::ReplaceX:
    after = ", x = " + t;
    break;
  default:
    break;
  }
  std::string name = "%d" + std::to_string(numDescriptors++);
  body += "  " + name + " = nnet3." + mnemonic(expr.kind) + " " + before +
          operands + after + " : " + type + "\n";
  return name;
}

NodeRef NetworkText::addInput(const std::string &name, int dim) {
  body += "  %" + name + " = nnet3.input_node \"" + name +
          "\" : " + rowsType(dim) + "\n";
  return {name, dim};
}

void NetworkText::addComponent(const std::string &name, const std::string &op,
                               const std::string &attributes) {
  body += "  nnet3." + op + " @" + name + " {" + attributes + "}\n";
}

void NetworkText::addComposite(const std::string &name,
                               const std::string &attributes,
                               const std::string &parts) {
  body += "  nnet3.composite @" + name + " attributes {" + attributes + "} {" +
          parts + "}\n";
}

NodeRef NetworkText::addNode(const std::string &name,
                             const std::string &component, const Expr &input,
                             int dim) {
  std::string value = emit(input);
  body += "  %" + name + " = nnet3.component_node \"" + name + "\" @" +
          component + "(" + value + ") : (" + rowsType(input.dim()) + ") -> " +
          rowsType(dim) + "\n";
  nodes.push_back({name, dim});
  return nodes.back();
}

NodeRef NetworkText::addDimRange(const std::string &name, const NodeRef &source,
                                 int offset, int dim) {
  body += "  %" + name + " = nnet3.dim_range_node \"" + name + "\" %" +
          source.name + " offset " + std::to_string(offset) + " : " +
          rowsType(source.dim) + " -> " + rowsType(dim) + "\n";
  return {name, dim};
}

void NetworkText::addOutput(const std::string &name, const Expr &input) {
  std::string value = emit(input);
  body += "  nnet3.output_node \"" + name + "\", " + value + " : " +
          rowsType(input.dim()) + "\n";
}
