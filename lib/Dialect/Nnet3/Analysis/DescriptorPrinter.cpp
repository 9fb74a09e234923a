//===- DescriptorPrinter.cpp - Descriptors as text ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Dialect/Nnet3/Analysis/Descriptor.h"

#include <charconv>

using namespace mlir;
using namespace mlir::nnet3;

StringRef mlir::nnet3::getKeyword(Descriptor::Kind kind) {
  switch (kind) {
  case Descriptor::Kind::Node:
    return "";
  case Descriptor::Kind::Append:
    return "Append";
  case Descriptor::Kind::Sum:
    return "Sum";
  case Descriptor::Kind::Failover:
    return "Failover";
  case Descriptor::Kind::IfDefined:
    return "IfDefined";
  case Descriptor::Kind::Const:
    return "Const";
  case Descriptor::Kind::Offset:
    return "Offset";
  case Descriptor::Kind::Switch:
    return "Switch";
  case Descriptor::Kind::Round:
    return "Round";
  case Descriptor::Kind::ReplaceIndex:
    return "ReplaceIndex";
  case Descriptor::Kind::Scale:
    return "Scale";
  }
  llvm_unreachable("all kinds are listed");
}

std::string mlir::nnet3::formatReal(float value) {
  char text[32];
  auto [end, error] = std::to_chars(text, text + sizeof(text), value);
  return std::string(text, end);
}

void mlir::nnet3::print(const Descriptor &descriptor, raw_ostream &os) {
  using Kind = Descriptor::Kind;
  if (descriptor.kind == Kind::Node) {
    os << descriptor.name;
    return;
  }
  os << getKeyword(descriptor.kind) << '(';
  if (descriptor.kind == Kind::Scale || descriptor.kind == Kind::Const)
    os << formatReal(static_cast<float>(descriptor.alpha));
  if (descriptor.kind == Kind::Scale)
    os << ", ";
  llvm::interleaveComma(descriptor.operands, os,
                        [&](const Descriptor &operand) { print(operand, os); });
  switch (descriptor.kind) {
  case Kind::Const:
    os << ", " << descriptor.dim;
    break;
  case Kind::Offset:
    os << ", " << descriptor.t;
    if (descriptor.x != 0)
      os << ", " << descriptor.x;
    break;
  case Kind::Round:
    os << ", " << descriptor.t;
    break;
  case Kind::ReplaceIndex:
    os << ", " << stringifyIndexVariable(descriptor.variable) << ", "
       << descriptor.t;
    break;
  default:
    break;
  }
  os << ')';
}
