//===- DescriptorTest.cpp - Descriptor expressions ------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Dialect/Nnet3/Analysis/Descriptor.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace mlir::nnet3;
using Kind = Descriptor::Kind;

namespace {

Descriptor node(StringRef name) {
  Descriptor result;
  result.name = name.str();
  return result;
}

Descriptor make(Kind kind, std::vector<Descriptor> operands) {
  Descriptor result;
  result.kind = kind;
  result.operands = std::move(operands);
  return result;
}

Descriptor append(std::vector<Descriptor> parts) {
  return make(Kind::Append, std::move(parts));
}
Descriptor sum(std::vector<Descriptor> terms) {
  return make(Kind::Sum, std::move(terms));
}
Descriptor switchOf(std::vector<Descriptor> cases) {
  return make(Kind::Switch, std::move(cases));
}
Descriptor failover(Descriptor a, Descriptor b) {
  return make(Kind::Failover, {std::move(a), std::move(b)});
}
Descriptor ifDefined(Descriptor a) {
  return make(Kind::IfDefined, {std::move(a)});
}
Descriptor offset(Descriptor a, int32_t t, int32_t x = 0) {
  Descriptor result = make(Kind::Offset, {std::move(a)});
  result.t = t;
  result.x = x;
  return result;
}
Descriptor roundTo(Descriptor a, int32_t modulus) {
  Descriptor result = make(Kind::Round, {std::move(a)});
  result.t = modulus;
  return result;
}
Descriptor replace(Descriptor a, IndexVariable variable, int32_t value) {
  Descriptor result = make(Kind::ReplaceIndex, {std::move(a)});
  result.variable = variable;
  result.t = value;
  return result;
}
Descriptor scale(double alpha, Descriptor a) {
  Descriptor result = make(Kind::Scale, {std::move(a)});
  result.alpha = alpha;
  return result;
}
Descriptor constant(double value, int64_t dim) {
  Descriptor result = make(Kind::Const, {});
  result.alpha = value;
  result.dim = dim;
  return result;
}

std::string text(const Descriptor &descriptor) {
  std::string result;
  llvm::raw_string_ostream os(result);
  print(descriptor, os);
  return result;
}

class DescriptorTest : public ::testing::Test {
protected:
  DescriptorTest()
      : handler(&context, [this](Diagnostic &diag) {
          error = diag.str();
          return success();
        }) {
    context.loadDialect<Nnet3Dialect>();
  }

  /// The normal form's text, or the error after "error: ".
  std::string normalized(const Descriptor &descriptor) {
    auto emitError = [&](LocationAttr) {
      return mlir::emitError(UnknownLoc::get(&context));
    };
    FailureOr<Descriptor> once = normalize(descriptor, emitError);
    if (failed(once))
      return "error: " + error;
    EXPECT_TRUE(isNormalized(*once)) << text(*once);
    FailureOr<Descriptor> twice = normalize(*once, emitError);
    EXPECT_TRUE(succeeded(twice) && *twice == *once) << text(*once);
    return text(*once);
  }

  /// "ok", or the error of the checks of the parts.
  std::string checked(const Descriptor &descriptor) {
    auto emitError = [&](LocationAttr) {
      return mlir::emitError(UnknownLoc::get(&context));
    };
    return succeeded(verifyParts(descriptor, emitError)) ? "ok" : error;
  }

  MLIRContext context;
  std::string error;
  ScopedDiagnosticHandler handler;
};

const Descriptor a = node("a"), b = node("b"), c = node("c"), d = node("d"),
                 e = node("e"), f = node("f");

// The worked examples of descriptors.md 5.4.
TEST_F(DescriptorTest, WorkedExamples) {
  EXPECT_EQ(normalized(offset(append({a, sum({b, c})}), 2)),
            "Append(Offset(a, 2), Sum(Offset(b, 2), Offset(c, 2)))");
  EXPECT_EQ(normalized(scale(0.5, append({a, offset(b, -3)}))),
            "Append(Scale(0.5, a), Offset(Scale(0.5, b), -3))");
  EXPECT_EQ(normalized(sum({a, b, c})), "Sum(a, Sum(b, c))");
  EXPECT_EQ(normalized(scale(2, sum({a, scale(-3, b)}))),
            "Sum(Scale(2, a), Scale(-6, b))");
  EXPECT_EQ(normalized(roundTo(ifDefined(offset(a, -1)), 3)),
            "IfDefined(Round(Offset(a, -1), 3))");
  EXPECT_EQ(normalized(offset(offset(a, 4), -4)), "a");
  EXPECT_EQ(normalized(append({a, append({b, c})})), "Append(a, b, c)");
  EXPECT_EQ(normalized(sum({append({a, b}), append({c, d}), append({e, f})})),
            "Append(Sum(a, Sum(c, e)), Sum(b, Sum(d, f)))");
}

TEST_F(DescriptorTest, Forwarding) {
  EXPECT_EQ(normalized(switchOf({sum({a, b})})), "Sum(Switch(a), Switch(b))");
  EXPECT_EQ(normalized(offset(switchOf({a, offset(b, 1)}), 1)),
            "Offset(Switch(a, Offset(b, 1)), 1)");
  EXPECT_EQ(normalized(offset(roundTo(a, 3), 1)), "Offset(Round(a, 3), 1)");
  EXPECT_EQ(normalized(offset(failover(offset(a, 1, 2), b), -1)),
            "Failover(Offset(a, 0, 2), Offset(b, -1))");
  EXPECT_EQ(normalized(replace(ifDefined(a), IndexVariable::X, -7)),
            "IfDefined(ReplaceIndex(a, x, -7))");
  EXPECT_EQ(normalized(scale(3, replace(roundTo(a, 2), IndexVariable::T, 0))),
            "ReplaceIndex(Round(Scale(3, a), 2), t, 0)");
  EXPECT_EQ(normalized(offset(a, 0)), "a");
  EXPECT_EQ(normalized(sum({a})), "a");
  EXPECT_EQ(normalized(scale(0.5, scale(2, a))), "a");
  EXPECT_EQ(normalized(failover(append({a, b}), append({c, d}))),
            "Append(Failover(a, c), Failover(b, d))");
}

// Accepted beyond the reference (descriptors.md 5.2).
TEST_F(DescriptorTest, Extensions) {
  EXPECT_EQ(normalized(scale(2, failover(a, constant(0.25, 3)))),
            "Failover(Scale(2, a), Const(0.5, 3))");
  EXPECT_EQ(normalized(scale(2, ifDefined(a))), "IfDefined(Scale(2, a))");
  EXPECT_EQ(normalized(offset(sum({a, constant(1, 4)}), 2)),
            "Sum(Offset(a, 2), Const(1, 4))");
}

TEST_F(DescriptorTest, NormalizeErrors) {
  EXPECT_EQ(normalized(sum({append({a, b}), c})),
            "error: arguments of Sum have different numbers of appended "
            "parts, 2 and 1");
  EXPECT_EQ(normalized(append({})), "error: Append has no arguments");
  EXPECT_EQ(normalized(scale(0.5, switchOf({a, b}))),
            "error: Scale cannot be applied to Switch");
  EXPECT_EQ(normalized(switchOf({a, ifDefined(b)})),
            "error: IfDefined cannot be an argument of Switch with several "
            "arguments");
  EXPECT_EQ(normalized(offset(offset(a, 2147483647), 1)),
            "error: sum of nested offsets is out of range");
  EXPECT_EQ(normalized(scale(1e30, scale(1e30, a))),
            "error: product of nested scales is out of range");
}

TEST_F(DescriptorTest, NormalFormIsBounded) {
  Descriptor large = append({});
  for (int i = 0; i < 1000; ++i)
    large.operands.push_back(a);
  for (int i = 0; i < 200; ++i)
    large = roundTo(std::move(large), 2);
  EXPECT_EQ(normalized(large),
            "error: descriptor is too large when normalised");
}

TEST_F(DescriptorTest, IsNormalized) {
  EXPECT_FALSE(isNormalized(append({a})));
  EXPECT_FALSE(isNormalized(sum({a, b, c})));
  EXPECT_FALSE(isNormalized(offset(sum({a, b}), 1)));
  EXPECT_FALSE(isNormalized(scale(2, offset(a, 1))));
  EXPECT_FALSE(isNormalized(switchOf({a, constant(1, 2)})));
  EXPECT_FALSE(isNormalized(sum({a, append({b, c})})));
  EXPECT_TRUE(isNormalized(append({constant(1, 2), failover(a, b)})));
}

TEST_F(DescriptorTest, VerifyParts) {
  EXPECT_EQ(checked(append({a, scale(2, a)})), "ok");
  EXPECT_EQ(checked(sum({scale(2, a), offset(scale(2, a), 1)})), "ok");
  EXPECT_EQ(checked(sum({scale(2, a), scale(3, a)})),
            "node 'a' has two different scales in one part of a descriptor, "
            "2 and 3");
  EXPECT_EQ(checked(switchOf({a, scale(0.5, offset(a, 1))})),
            "node 'a' has two different scales in one part of a descriptor, "
            "1 and 0.5");
  EXPECT_EQ(checked(failover(a, constant(0, 4))), "ok");
  EXPECT_EQ(checked(failover(a, constant(0.5, 4))),
            "arguments of Failover have different constants, 0 and 0.5");
  EXPECT_EQ(checked(failover(sum({a, constant(1, 4)}), constant(1, 4))), "ok");
  EXPECT_EQ(checked(ifDefined(sum({a, constant(1, 4)}))),
            "Const inside IfDefined must be zero, but is 1");
}

TEST_F(DescriptorTest, Modulus) {
  EXPECT_EQ(getModulus(a), 1);
  EXPECT_EQ(getModulus(offset(roundTo(a, 3), 1)), 3);
  EXPECT_EQ(getModulus(roundTo(switchOf({a, b}), 3)), 6);
  EXPECT_EQ(getModulus(switchOf({a, roundTo(b, 4), c})), 12);
  EXPECT_EQ(getModulus(replace(roundTo(a, 3), IndexVariable::T, 0)), 1);
  EXPECT_EQ(getModulus(replace(roundTo(a, 3), IndexVariable::X, 0)), 3);
  EXPECT_EQ(getModulus(append({roundTo(a, 4), ifDefined(roundTo(b, 6))})), 12);
}

TEST_F(DescriptorTest, PrintsExactScales) {
  EXPECT_EQ(text(scale(1.0f / 3.0f, a)), "Scale(0.33333334, a)");
  EXPECT_EQ(text(scale(1e-8f, a)), "Scale(1e-08, a)");
  EXPECT_EQ(text(constant(-2, 16)), "Const(-2, 16)");
}

TEST_F(DescriptorTest, ReadsAndBuildsOperations) {
  const char *source = R"mlir(
    nnet3.network @n {
      %a = nnet3.input_node "a" : !nnet3.rows<4>
      %b = nnet3.input_node "b" : !nnet3.rows<4>
      %0 = nnet3.offset %a, t = -1, x = 2 : !nnet3.rows<4>
      %1 = nnet3.round %b, 3 : !nnet3.rows<4>
      %2 = nnet3.switch %0, %1 : !nnet3.rows<4>
      %3 = nnet3.if_defined %2 : !nnet3.rows<4>
      %4 = nnet3.scale 5.0e-01, %a : !nnet3.rows<4>
      %5 = nnet3.replace_index %4, t = 7 : !nnet3.rows<4>
      %6 = nnet3.const 1.0 : !nnet3.rows<4>
      %7 = nnet3.sum %5, %6 : !nnet3.rows<4>
      %8 = nnet3.failover %3, %7 : !nnet3.rows<4>
      %9 = nnet3.append %8, %b : (!nnet3.rows<4>, !nnet3.rows<4>) -> !nnet3.rows<8>
      nnet3.output_node "output", %9 : !nnet3.rows<8>
    })mlir";
  OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(source, &context);
  ASSERT_TRUE(module) << error;
  OutputNodeOp output;
  module->walk([&](OutputNodeOp op) { output = op; });
  Descriptor read = readDescriptor(output.getInput());
  EXPECT_EQ(text(read),
            "Append(Failover(IfDefined(Switch(Offset(a, -1, 2), Round(b, 3))), "
            "Sum(ReplaceIndex(Scale(0.5, a), t, 7), Const(1, 4))), b)");

  OpBuilder builder(output);
  Value built = buildDescriptor(builder, read, output.getLoc());
  EXPECT_NE(built, output.getInput());
  EXPECT_TRUE(readDescriptor(built) == read);
  output.getInputMutable().assign(built);
  EXPECT_TRUE(succeeded(verify(*module))) << error;

  auto emitError = [&](LocationAttr) { return output.emitError(); };
  FailureOr<int64_t> dim = getDim(read, emitError);
  ASSERT_TRUE(succeeded(dim));
  EXPECT_EQ(*dim, 8);
}

TEST_F(DescriptorTest, DimErrors) {
  const char *source = R"mlir(
    nnet3.network @n {
      %a = nnet3.input_node "a" : !nnet3.rows<4>
      %b = nnet3.input_node "b" : !nnet3.rows<3>
    })mlir";
  OwningOpRef<ModuleOp> module = parseSourceString<ModuleOp>(source, &context);
  ASSERT_TRUE(module) << error;
  std::vector<Descriptor> leaves;
  module->walk([&](InputNodeOp op) {
    leaves.push_back(readDescriptor(op.getResult()));
  });
  auto emitError = [&](LocationAttr) { return module->emitError(); };
  for (Kind kind : {Kind::Sum, Kind::Switch, Kind::Failover}) {
    EXPECT_TRUE(failed(getDim(make(kind, leaves), emitError)));
    EXPECT_EQ(error, "arguments of " + getKeyword(kind).str() +
                         " have different dims, 4 and 3");
  }
}

} // namespace
