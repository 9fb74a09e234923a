//===- DescriptorParserTest.cpp - Text of descriptors ---------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/Target/Kaldi/DescriptorParser.h"
#include "ConfigTestUtil.h"

#include <random>

using mlir::failed;
using mlir::FailureOr;
using mlir::LocationAttr;
using mlir::nnet3::Descriptor;
using Kind = Descriptor::Kind;

namespace mlir::nnet3 {

namespace {

class DescriptorParserTest : public ConfigTest {
protected:
  FailureOr<Descriptor> parse(llvm::StringRef text) {
    diagnostics.clear();
    return parseDescriptor(text, [&](size_t offset) -> LocationAttr {
      return FileLineColLoc::get(&context, "text", 1, offset + 1);
    });
  }

  static std::string print(const Descriptor &descriptor) {
    std::string text;
    llvm::raw_string_ostream os(text);
    mlir::nnet3::print(descriptor, os);
    return text;
  }

  /// Parsed and printed again, or the first error.
  std::string reprint(llvm::StringRef text) {
    FailureOr<Descriptor> descriptor = parse(text);
    return failed(descriptor) ? diagnostics.at(0) : print(*descriptor);
  }
};

/// Generates expressions of the normalised grammar (descriptors.md 4).
class RandomDescriptor {
public:
  explicit RandomDescriptor(unsigned seed) : random(seed) {}

  Descriptor make() {
    if (pick(3) != 0)
      return makeSum(3);
    Descriptor append = withOperands(Kind::Append);
    for (int i = 0, e = 2 + pick(2); i < e; ++i)
      append.operands.push_back(makeSum(2));
    return append;
  }

private:
  int pick(int count) { return random() % count; }

  Descriptor withOperands(Kind kind) {
    Descriptor result;
    result.kind = kind;
    return result;
  }

  Descriptor makeSum(int depth) {
    switch (depth == 0 ? 4 : pick(6)) {
    case 0:
    case 1: {
      Descriptor pair = withOperands(pick(2) ? Kind::Sum : Kind::Failover);
      pair.operands = {makeSum(depth - 1), makeSum(depth - 1)};
      return pair;
    }
    case 2: {
      Descriptor ifDefined = withOperands(Kind::IfDefined);
      ifDefined.operands = {makeSum(depth - 1)};
      return ifDefined;
    }
    case 3: {
      Descriptor constant = withOperands(Kind::Const);
      constant.alpha = static_cast<float>((pick(2000) - 1000) / 7.0);
      constant.dim = 1 + pick(100);
      return constant;
    }
    default:
      return makeForwarding(3);
    }
  }

  Descriptor makeForwarding(int depth) {
    int choice = depth == 0 ? 4 : pick(6);
    Descriptor result;
    switch (choice) {
    case 0:
      result.kind = Kind::Switch;
      for (int i = 0, e = 1 + pick(3); i < e; ++i)
        result.operands.push_back(makeForwarding(depth - 1));
      return result;
    case 1:
      result.kind = Kind::Round;
      result.t = 1 + pick(5);
      result.operands = {makeForwarding(depth - 1)};
      return result;
    case 2:
      result.kind = Kind::ReplaceIndex;
      result.t = pick(9) - 4;
      result.variable = pick(2) ? IndexVariable::T : IndexVariable::X;
      result.operands = {makeForwarding(depth - 1)};
      return result;
    case 3:
      result.kind = Kind::Offset;
      result.t = 1 + pick(9);
      result.x = pick(3) - 1;
      // An offset of an offset is not in normal form.
      result.operands = {makeForwarding(0)};
      return result;
    case 4:
      result.name = std::string(1, 'a' + pick(4)) + ".x-1";
      return result;
    default:
      result.kind = Kind::Scale;
      result.alpha = static_cast<float>(2 + pick(1000) / 3.0);
      result.operands = {makeForwarding(0)};
      return result;
    }
  }

  std::mt19937 random;
};

} // namespace

TEST_F(DescriptorParserTest, ReadsEveryForm) {
  EXPECT_EQ(reprint(" a "), "a");
  EXPECT_EQ(reprint("Append(a)"), "Append(a)");
  EXPECT_EQ(reprint("Append ( a ,b,\tAppend(c, d))"),
            "Append(a, b, Append(c, d))");
  EXPECT_EQ(reprint("Sum(a,b,c)"), "Sum(a, b, c)");
  EXPECT_EQ(reprint("Failover(a,IfDefined(b))"), "Failover(a, IfDefined(b))");
  EXPECT_EQ(reprint("Offset(a,+3)"), "Offset(a, 3)");
  EXPECT_EQ(reprint("Offset(a,-3,0)"), "Offset(a, -3)");
  EXPECT_EQ(reprint("Offset(a, -3, 2)"), "Offset(a, -3, 2)");
  EXPECT_EQ(reprint("Switch(a,b)"), "Switch(a, b)");
  EXPECT_EQ(reprint("Round(Sum(a,b),3)"), "Round(Sum(a, b), 3)");
  EXPECT_EQ(reprint("ReplaceIndex(a,x,-5)"), "ReplaceIndex(a, x, -5)");
  EXPECT_EQ(reprint("Scale(1e-3, Append(a,b))"), "Scale(0.001, Append(a, b))");
  EXPECT_EQ(reprint("Const(-.5,7)"), "Const(-0.5, 7)");
}

TEST_F(DescriptorParserTest, Errors) {
  EXPECT_EQ(reprint(""),
            "1:1: expects a descriptor, but got the end of the descriptor");
  EXPECT_EQ(reprint("Offset"),
            "1:7: expects '(' after Offset, but got the end of the descriptor");
  EXPECT_EQ(reprint("Sum()"), "1:1: Sum has no arguments");
  EXPECT_EQ(reprint("Sum(a,)"), "1:7: expects a descriptor, but got ')'");
  EXPECT_EQ(reprint("Sum(a b)"), "1:7: expects ')', but got 'b'");
  EXPECT_EQ(reprint("Failover(a)"), "1:11: expects ',', but got ')'");
  EXPECT_EQ(reprint("Failover(a, b, c)"), "1:14: expects ')', but got ','");
  EXPECT_EQ(reprint("IfDefined(a, b)"), "1:12: expects ')', but got ','");
  EXPECT_EQ(reprint("Offset(a, x)"),
            "1:11: expects an integer as offset, but got 'x'");
  EXPECT_EQ(reprint("Offset(a, 4294967296)"),
            "1:11: expects an integer as offset, but got '4294967296'");
  EXPECT_EQ(reprint("Scale(a, 2)"),
            "1:7: expects a finite number as scale, but got 'a'");
  EXPECT_EQ(reprint("Scale(inf, a)"),
            "1:7: expects a finite number as scale, but got 'inf'");
  EXPECT_EQ(reprint("Scale(1e39, a)"),
            "1:7: expects a finite number as scale, but got '1e39'");
  EXPECT_EQ(reprint("Const(1, 0)"),
            "1:10: expects a positive dim of Const, but got 0");
  EXPECT_EQ(reprint("Round(a, -2)"),
            "1:10: expects a positive modulus of Round, but got -2");
  EXPECT_EQ(reprint("offset(a, 1)"), "1:1: unknown descriptor 'offset'");
  EXPECT_EQ(reprint("a)"), "1:2: unexpected ')' after the descriptor");
  EXPECT_EQ(reprint("a@1"), "1:1: expects a descriptor, but got 'a@1'");
}

TEST_F(DescriptorParserTest, LeavesHaveTheirPlaces) {
  FailureOr<Descriptor> sum = parse("Sum(a, Offset(b, 1))");
  ASSERT_FALSE(failed(sum));
  auto column = [](const Descriptor &descriptor) {
    return llvm::cast<FileLineColLoc>(descriptor.loc).getColumn();
  };
  EXPECT_EQ(column(*sum), 1u);
  EXPECT_EQ(column(sum->operands[0]), 5u);
  EXPECT_EQ(column(sum->operands[1]), 8u);
  EXPECT_EQ(column(sum->operands[1].operands[0]), 15u);
}

// parse(print(d)) = d (descriptors.md 10).
TEST_F(DescriptorParserTest, PrintedFormsReadBack) {
  auto emitError = [&](LocationAttr) {
    return mlir::emitError(UnknownLoc::get(&context));
  };
  for (unsigned seed = 0; seed < 500; ++seed) {
    Descriptor descriptor = RandomDescriptor(seed).make();
    ASSERT_TRUE(isNormalized(descriptor)) << print(descriptor);
    FailureOr<Descriptor> again = parse(print(descriptor));
    ASSERT_FALSE(failed(again)) << print(descriptor);
    EXPECT_TRUE(*again == descriptor) << print(descriptor);
    FailureOr<Descriptor> normal = normalize(descriptor, emitError);
    if (!failed(normal))
      EXPECT_TRUE(isNormalized(*normal)) << print(descriptor);
  }
}

TEST_F(DescriptorParserTest, NestingIsBounded) {
  std::string deep, wide = "Sum(a", append = "Append(a";
  for (int i = 0; i < 100000; ++i) {
    deep += "IfDefined(";
    wide += ",a";
    append += ",a";
  }
  EXPECT_EQ(reprint(deep), "1:10011: descriptor is nested too deeply");
  EXPECT_EQ(reprint(wide + ")"), "1:1: descriptor is nested too deeply");
  EXPECT_FALSE(failed(parse(append + ")")));
  // The widest sum, whose normal form is nested as deeply as may be.
  std::string widest =
      wide.substr(0, llvm::StringRef("Sum(a").size() + 2 * 1000);
  auto normal = normalize(*parse(widest + ")"), [&](LocationAttr) {
    return mlir::emitError(UnknownLoc::get(&context));
  });
  ASSERT_FALSE(failed(normal));
  EXPECT_FALSE(failed(parse(print(*normal))));
  EXPECT_TRUE(failed(parse(widest + ",a)")));
}

} // namespace mlir::nnet3
