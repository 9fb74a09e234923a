//===- RearrangeComponents.cpp - Sums, products, moves of columns ---------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// ElementwiseProduct, SumBlock, SumGroup, Permute (spec: components.md 6.19,
// 6.36, 6.35, 6.12).
//
//===----------------------------------------------------------------------===//

#include "core/ComponentAttributes.h"
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
  explicit ElementwiseProductComponent(
      const ElementwiseProductAttributes &attributes)
      : Component(attributes) {}

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

/// Each block of dx is dy times the products of the blocks before and after it.
/// Prefix and suffix products take linear time and avoid divisions by zero.
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
  explicit SumBlockComponent(const SumBlockAttributes &attributes)
      : Component(attributes), scale(attributes.scale()) {}

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
  SumGroupComponent(int32_t inputDim, std::vector<int32_t> sizes,
                    uint32_t properties)
      : Component(inputDim, static_cast<int32_t>(sizes.size()), properties),
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
  PermuteComponent(std::vector<int32_t> columnMap, uint32_t properties)
      : Component(static_cast<int32_t>(columnMap.size()),
                  static_cast<int32_t>(columnMap.size()), properties),
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

} // namespace

std::unique_ptr<Component>
create(const ElementwiseProductAttributes &attributes) {
  if (attributes.inputDim() == attributes.outputDim())
    attributes.fail("expects an input_dim above output_dim");
  return std::make_unique<ElementwiseProductComponent>(attributes);
}

std::unique_ptr<Component> create(const SumBlockAttributes &attributes) {
  return std::make_unique<SumBlockComponent>(attributes);
}

std::unique_ptr<Component> create(const SumGroupAttributes &attributes) {
  const IntList sizes = attributes.sizes();
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
  return std::make_unique<SumGroupComponent>(
      static_cast<int32_t>(total), std::move(groups), attributes.properties());
}

std::unique_ptr<Component> create(const PermuteAttributes &attributes) {
  const IntList list = attributes.columnMap();
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
  return std::make_unique<PermuteComponent>(std::move(columnMap),
                                            attributes.properties());
}

} // namespace rt
} // namespace nnet3
