//===- RearrangeComponents.cpp - Sums, products, moves of columns ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// ElementwiseProduct, SumBlock, SumGroup, Permute (spec: components.md 6.19,
// 6.36, 6.35, 6.12).
//
//===----------------------------------------------------------------------===//

#include "cpu/Registry.h"
#include "cpu/math/VectorMath.h"

#include <algorithm>
#include <string>
#include <vector>

namespace nnet3 {
namespace rt {
namespace {

/// y = the product of the consecutive blocks of x.
class ElementwiseProductComponent : public Component {
public:
  ElementwiseProductComponent(int32_t inputDim, int32_t outputDim)
      : Component(inputDim, outputDim, kSimpleComponent | kBackpropNeedsInput) {
  }

  std::unique_ptr<CommandPlan> plan(int32_t inRows, int32_t outRows,
                                    AttributeReader *precomputed,
                                    ErrorSink &errors) const override {
    Component::plan(inRows, outRows, precomputed, errors);
    auto plan = std::make_unique<CommandPlan>();
    plan->backpropScratchBytes = sizeof(float) * uint64_t(outputDim());
    return plan;
  }

  void propagate(const CommandPlan *, ConstMatrixView in, MatrixView out,
                 void *, const RunContext &) const override {
    const int32_t blocks = in.cols / out.cols;
    for (int32_t r = 0; r < out.rows; ++r) {
      const float *x = in.row(r);
      float *y = out.row(r);
      vecMul(out.cols, x, x + out.cols, y);
      for (int32_t b = 2; b < blocks; ++b)
        vecMul(out.cols, y, x + int64_t(b) * out.cols, y);
    }
  }

  void backprop(const CommandPlan *, const BackpropOperands &operands,
                const RunContext &context) const override {
    const MatrixView &inDeriv = operands.inDeriv;
    for (int32_t r = 0; inDeriv.data && r < inDeriv.rows; ++r)
      backpropRow(operands.inValue.row(r), operands.outDeriv.row(r),
                  inDeriv.row(r), static_cast<float *>(context.scratch));
  }

private:
  void backpropRow(const float *x, const float *dy, float *dx,
                   float *suffix) const;
};

/// Each block of dx is dy times the blocks before and the blocks after; so in
/// time that is linear in the blocks, and right where some are zero.
void ElementwiseProductComponent::backpropRow(const float *x, const float *dy,
                                              float *dx, float *suffix) const {
  const int64_t n = outputDim();
  const int64_t last = inputDim() - n;
  vecScale(n, 1.0f, dy, dx);
  for (int64_t at = n; at <= last; at += n)
    vecMul(n, dx + at - n, x + at - n, dx + at);
  vecScale(n, 1.0f, x + last, suffix);
  for (int64_t at = last - n; at >= 0; at -= n) {
    vecMul(n, dx + at, suffix, dx + at);
    if (at > 0)
      vecMul(n, suffix, x + at, suffix);
  }
}

/// y += scale * the sum of the consecutive blocks of x.
class SumBlockComponent : public Component {
public:
  SumBlockComponent(int32_t inputDim, int32_t outputDim, float scale)
      : Component(inputDim, outputDim,
                  kSimpleComponent | kPropagateAdds | kBackpropAdds),
        scale(scale) {}

  void propagate(const CommandPlan *, ConstMatrixView in, MatrixView out,
                 void *, const RunContext &) const override {
    const int32_t blocks = in.cols / out.cols;
    for (int32_t r = 0; r < out.rows; ++r)
      for (int32_t b = 0; b < blocks; ++b)
        vecAxpy(out.cols, scale, in.row(r) + int64_t(b) * out.cols, out.row(r));
  }

  void backprop(const CommandPlan *, const BackpropOperands &operands,
                const RunContext &) const override {
    const MatrixView &inDeriv = operands.inDeriv;
    const ConstMatrixView &outDeriv = operands.outDeriv;
    const int32_t blocks = inputDim() / outputDim();
    for (int32_t r = 0; inDeriv.data && r < inDeriv.rows; ++r)
      for (int32_t b = 0; b < blocks; ++b)
        vecAxpy(outDeriv.cols, scale, outDeriv.row(r),
                inDeriv.row(r) + int64_t(b) * outDeriv.cols);
  }

private:
  float scale;
};

/// y_g = the sum of group g's columns.
class SumGroupComponent : public Component {
public:
  SumGroupComponent(int32_t inputDim, std::vector<int32_t> sizes)
      : Component(inputDim, static_cast<int32_t>(sizes.size()),
                  kSimpleComponent),
        sizes(std::move(sizes)) {}

  void propagate(const CommandPlan *, ConstMatrixView in, MatrixView out,
                 void *, const RunContext &) const override {
    for (int32_t r = 0; r < out.rows; ++r) {
      const float *x = in.row(r);
      for (int32_t g = 0; g < out.cols; ++g) {
        double sum = 0;
        for (int32_t i = 0; i < sizes[g]; ++i)
          sum += *x++;
        out.row(r)[g] = static_cast<float>(sum);
      }
    }
  }

  void backprop(const CommandPlan *, const BackpropOperands &operands,
                const RunContext &) const override {
    const MatrixView &inDeriv = operands.inDeriv;
    for (int32_t r = 0; inDeriv.data && r < inDeriv.rows; ++r) {
      float *dx = inDeriv.row(r);
      for (int32_t g = 0; g < outputDim(); ++g)
        dx = std::fill_n(dx, sizes[g], operands.outDeriv.row(r)[g]);
    }
  }

private:
  std::vector<int32_t> sizes;
};

/// y_i = x_map(i).
class PermuteComponent : public Component {
public:
  explicit PermuteComponent(std::vector<int32_t> columnMap)
      : Component(static_cast<int32_t>(columnMap.size()),
                  static_cast<int32_t>(columnMap.size()), kSimpleComponent),
        columnMap(std::move(columnMap)) {}

  void propagate(const CommandPlan *, ConstMatrixView in, MatrixView out,
                 void *, const RunContext &) const override {
    for (int32_t r = 0; r < out.rows; ++r) {
      const float *x = in.row(r);
      float *y = out.row(r);
      for (int32_t i = 0; i < out.cols; ++i)
        y[i] = x[columnMap[i]];
    }
  }

  void backprop(const CommandPlan *, const BackpropOperands &operands,
                const RunContext &) const override {
    const MatrixView &inDeriv = operands.inDeriv;
    for (int32_t r = 0; inDeriv.data && r < inDeriv.rows; ++r) {
      const float *dy = operands.outDeriv.row(r);
      float *dx = inDeriv.row(r);
      for (int32_t i = 0; i < inDeriv.cols; ++i)
        dx[columnMap[i]] = dy[i];
    }
  }

private:
  std::vector<int32_t> columnMap;
};

/// Fails unless the output dim divides the input dim at least \p least times.
void checkDivides(AttributeReader &attributes, int32_t in, int32_t out,
                  int32_t least) {
  if (in % out != 0 || in / out < least)
    attributes.fail(
        "expects input_dim to be a multiple of output_dim, but got " +
        std::to_string(in) + " and " + std::to_string(out));
}

std::unique_ptr<Component> createProduct(AttributeReader &attributes) {
  const int32_t in = attributes.dim("input_dim");
  const int32_t out = attributes.dim("output_dim");
  checkDivides(attributes, in, out, 2);
  return std::make_unique<ElementwiseProductComponent>(in, out);
}

std::unique_ptr<Component> createSumBlock(AttributeReader &attributes) {
  const int32_t in = attributes.dim("input_dim");
  const int32_t out = attributes.dim("output_dim");
  checkDivides(attributes, in, out, 1);
  return std::make_unique<SumBlockComponent>(
      in, out, static_cast<float>(attributes.real("scale", 1.0)));
}

std::unique_ptr<Component> createSumGroup(AttributeReader &attributes) {
  const IntList sizes = attributes.ints("sizes");
  std::vector<int32_t> groups;
  int64_t total = 0;
  for (uint32_t g = 0; g < sizes.size(); ++g) {
    if (sizes[g] <= 0 || sizes[g] > INT32_MAX - total) {
      attributes.fail("expects sizes above 0 with a sum below 2^31");
      return nullptr;
    }
    groups.push_back(static_cast<int32_t>(sizes[g]));
    total += sizes[g];
  }
  if (groups.empty())
    attributes.fail("has no sizes");
  return std::make_unique<SumGroupComponent>(static_cast<int32_t>(total),
                                             std::move(groups));
}

std::unique_ptr<Component> createPermute(AttributeReader &attributes) {
  const IntList list = attributes.ints("column_map");
  std::vector<int32_t> columnMap;
  std::vector<bool> seen(list.size(), false);
  for (uint32_t i = 0; i < list.size(); ++i) {
    if (list[i] < 0 || list[i] >= list.size() || seen[list[i]]) {
      attributes.fail("expects a permutation as column_map");
      return nullptr;
    }
    seen[list[i]] = true;
    columnMap.push_back(static_cast<int32_t>(list[i]));
  }
  if (columnMap.empty())
    attributes.fail("has an empty column_map");
  return std::make_unique<PermuteComponent>(std::move(columnMap));
}

constexpr ComponentFactory kFactories[] = {
    {"ElementwiseProductComponent", createProduct},
    {"SumBlockComponent", createSumBlock},
    {"SumGroupComponent", createSumGroup},
    {"PermuteComponent", createPermute}};

} // namespace

FactoryTable rearrangeFactories() { return makeTable(kFactories); }

} // namespace rt
} // namespace nnet3
