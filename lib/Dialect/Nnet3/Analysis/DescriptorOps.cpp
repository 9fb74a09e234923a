//===- DescriptorOps.cpp - Descriptors as operations ----------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Dialect/Nnet3/Analysis/Descriptor.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::nnet3;
using Kind = Descriptor::Kind;

bool mlir::nnet3::operator==(const Descriptor &a, const Descriptor &b) {
  if (a.kind != b.kind || a.operands != b.operands)
    return false;
  switch (a.kind) {
  case Kind::Node:
    return a.name == b.name && a.value == b.value;
  case Kind::Append:
  case Kind::Sum:
  case Kind::Failover:
  case Kind::IfDefined:
  case Kind::Switch:
    return true;
  case Kind::Const:
    return a.alpha == b.alpha && a.dim == b.dim;
  case Kind::Offset:
    return a.t == b.t && a.x == b.x;
  case Kind::Round:
    return a.t == b.t;
  case Kind::ReplaceIndex:
    return a.variable == b.variable && a.t == b.t;
  case Kind::Scale:
    return a.alpha == b.alpha;
  }
  llvm_unreachable("all kinds are listed");
}

/// Reads the descriptor `value`; `useLoc` is the location of its use, at which
/// a node's name would be written.
static Descriptor readExpression(Value value, Location useLoc) {
  Operation *op = value.getDefiningOp();
  assert(op && "values of a network are results of operations");
  Descriptor result;
  result.loc = op->getLoc();
  if (isa<InputNodeOp, ComponentNodeOp, DimRangeNodeOp>(op)) {
    result.loc = useLoc;
    result.name = op->getAttrOfType<StringAttr>("name").getValue().str();
    result.value = value;
    return result;
  }
  result.kind = llvm::TypeSwitch<Operation *, Kind>(op)
                    .Case([](AppendOp) { return Kind::Append; })
                    .Case([](SumOp) { return Kind::Sum; })
                    .Case([](FailoverOp) { return Kind::Failover; })
                    .Case([](IfDefinedOp) { return Kind::IfDefined; })
                    .Case([](SwitchOp) { return Kind::Switch; })
                    .Case([&](ScaleOp scale) {
                      result.alpha = scale.getAlpha().convertToDouble();
                      return Kind::Scale;
                    })
                    .Case([&](ConstOp constant) {
                      result.alpha = constant.getValue().convertToDouble();
                      result.dim = constant.getResult().getType().getDim();
                      return Kind::Const;
                    })
                    .Case([&](OffsetOp offset) {
                      result.t = static_cast<int32_t>(offset.getT());
                      result.x = static_cast<int32_t>(offset.getX());
                      return Kind::Offset;
                    })
                    .Case([&](RoundOp round) {
                      result.t = static_cast<int32_t>(round.getModulus());
                      return Kind::Round;
                    })
                    .Case([&](ReplaceIndexOp replace) {
                      result.variable = replace.getVariable();
                      result.t = static_cast<int32_t>(replace.getValue());
                      return Kind::ReplaceIndex;
                    });
  for (Value operand : op->getOperands())
    result.operands.push_back(readExpression(operand, op->getLoc()));
  return result;
}

Descriptor mlir::nnet3::readDescriptor(Value value) {
  return readExpression(value, value.getLoc());
}

Value mlir::nnet3::buildDescriptor(OpBuilder &builder,
                                   const Descriptor &descriptor, Location loc) {
  if (descriptor.kind == Kind::Node) {
    assert(descriptor.value && "leaves have values");
    return descriptor.value;
  }
  if (descriptor.loc)
    loc = Location(descriptor.loc);
  if (descriptor.kind == Kind::Const)
    return ConstOp::create(
        builder, loc, RowsType::get(builder.getContext(), descriptor.dim),
        builder.getF32FloatAttr(static_cast<float>(descriptor.alpha)));

  SmallVector<Value> operands;
  for (const Descriptor &operand : descriptor.operands)
    operands.push_back(buildDescriptor(builder, operand, loc));
  Type type = operands.front().getType();
  switch (descriptor.kind) {
  case Kind::Append: {
    int64_t dim = 0;
    for (Value operand : operands)
      dim += cast<RowsType>(operand.getType()).getDim();
    return AppendOp::create(builder, loc,
                            RowsType::get(builder.getContext(), dim), operands);
  }
  case Kind::Sum:
    return SumOp::create(builder, loc, type, operands);
  case Kind::Failover:
    return FailoverOp::create(builder, loc, type, operands[0], operands[1]);
  case Kind::IfDefined:
    return IfDefinedOp::create(builder, loc, type, operands[0]);
  case Kind::Offset:
    return OffsetOp::create(builder, loc, type, operands[0],
                            builder.getI32IntegerAttr(descriptor.t),
                            builder.getI32IntegerAttr(descriptor.x));
  case Kind::Switch:
    return SwitchOp::create(builder, loc, type, operands);
  case Kind::Round:
    return RoundOp::create(builder, loc, type, operands[0],
                           builder.getI32IntegerAttr(descriptor.t));
  case Kind::ReplaceIndex:
    return ReplaceIndexOp::create(
        builder, loc, type, operands[0],
        IndexVariableAttr::get(builder.getContext(), descriptor.variable),
        builder.getI32IntegerAttr(descriptor.t));
  case Kind::Scale:
    return ScaleOp::create(
        builder, loc, type,
        builder.getF32FloatAttr(static_cast<float>(descriptor.alpha)),
        operands[0]);
  case Kind::Node:
  case Kind::Const:
    break;
  }
  llvm_unreachable("leaves are handled above");
}
