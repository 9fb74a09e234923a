//===- LstmNonlinearityComponent.cpp - The gates of an LSTM ---------------===//
//
// Spec: components.md 6.15.
//
//===----------------------------------------------------------------------===//

#include "Registry.h"
#include "VectorMath.h"

namespace nnet3 {
namespace runtime {
namespace {

class LstmNonlinearityComponent : public Component {
public:
  /// \p params is 3 x cellDim: the peephole weights of i, f and o.
  LstmNonlinearityComponent(int32_t cellDim, bool useDropout,
                            const float *params)
      : Component(5 * cellDim + (useDropout ? 3 : 0), 2 * cellDim,
                  kSimpleComponent | kUpdatableComponent | kBackpropNeedsInput),
        cellDim(cellDim), useDropout(useDropout) {
    addMatrix("params", ConstMatrixView(params, 3, cellDim, cellDim));
  }

  void propagate(const CommandPlan *, ConstMatrixView in, MatrixView out,
                 void *, const RunContext &context) const override {
    const float kNone[3] = {1.0f, 1.0f, 1.0f};
    for (int32_t r = 0; r < in.rows; ++r) {
      const float *x = in.row(r);
      const float *scales = useDropout ? x + 5 * int64_t(cellDim) : kNone;
      vecLstm(cellDim, x, context.parameters[0].data, scales[0], scales[1],
              scales[2], out.row(r));
    }
  }

private:
  int32_t cellDim;
  bool useDropout;
};

std::unique_ptr<Component> createLstm(AttributeReader &attributes) {
  const int32_t cellDim = attributes.dim("cell_dim");
  if (cellDim > (1 << 28))
    attributes.fail("has a cell_dim above 2^28");
  const bool useDropout = attributes.flag("use_dropout", false);
  const float *params = attributes.tensor("params", {3, cellDim});
  if (!attributes.ok())
    return nullptr;
  return std::make_unique<LstmNonlinearityComponent>(cellDim, useDropout,
                                                     params);
}

constexpr ComponentFactory kFactories[] = {
    {"LstmNonlinearityComponent", createLstm}};

} // namespace

FactoryTable lstmFactories() { return makeTable(kFactories); }

} // namespace runtime
} // namespace nnet3
