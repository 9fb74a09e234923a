//===- TrainerTesting.h - Helpers for tests of the trainer ------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_RUNTIME_TEST_TRAIN_TRAINERTESTING_H
#define NNET3_RUNTIME_TEST_TRAIN_TRAINERTESTING_H

#include "TrainingNetwork.h"
#include "core/ComponentState.h"
#include "nnet3/runtime/Trainer.h"

#include <gtest/gtest.h>

namespace nnet3 {
namespace rt {
namespace test {

constexpr int32_t kRows = 12, kIn = 6, kOut = 4;

/// A minibatch that owns its data.
struct StepData {
  explicit StepData(uint32_t seed, int32_t rows = kRows)
      : x(randomMatrix(rows, kIn, seed)),
        y(randomMatrix(rows, kOut, seed + 500)) {}

  Minibatch minibatch() const {
    return {{{"input", x.view()}}, {{"output", y.view()}}};
  }

  Matrix x, y;
};

/// One affine map.
inline ProgramWriter affineWriter(bool isQuadratic, const Attrs &attrs = {},
                                  const ChainRequest &base = {}) {
  ChainRequest request = base;
  request.rows = kRows;
  request.inputDim = kIn;
  request.isQuadratic = isQuadratic;
  return writeChain({affineLayer("affine", kIn, kOut, 1, attrs)}, request);
}

/// An affine map of the input for each of two outputs, "first" with the linear
/// objective and "second" with the quadratic one.
inline ProgramWriter twoOutputs(const Attrs &attrs = {}) {
  ProgramWriter writer;
  const int32_t in = writer.input("input", kRows, kIn);
  int32_t outputs[2];
  for (int32_t i : {0, 1}) {
    const Layer layer =
        affineLayer(i == 0 ? "a" : "b", kIn, kOut, i + 1, attrs);
    outputs[i] = writer.zeroed(kRows, kOut);
    writer.propagate(writer.component(layer.name, layer.type, layer.attrs), in,
                     outputs[i]);
  }
  writer.output("first", outputs[0]);
  writer.output("second", outputs[1]);
  writer.outputs[1].isQuadratic = true;
  for (ProgramWriter::Io &io : writer.outputs)
    io.n = io.t = io.x = std::vector<int32_t>(kRows);
  writer.command({Opcode::NoOperationMarker});
  for (int32_t i : {0, 1}) {
    CommandData back{Opcode::Backprop};
    back.component = i;
    back.inValue = in;
    back.src = writer.input(i == 0 ? "first" : "second", kRows, kOut, true);
    writer.command(back);
  }
  return writer;
}

inline std::unique_ptr<Trainer>
makeTrainer(std::shared_ptr<const Program> program,
            const TrainerOptions &options = {}) {
  auto trainer = Trainer::create(std::move(program), options);
  EXPECT_TRUE(trainer.ok()) << trainer.status().message();
  return std::move(*trainer);
}

inline TrainingStep step(Trainer &trainer,
                         const std::shared_ptr<const Program> &program,
                         const StepData &data) {
  auto result = trainer.train(program, data.minibatch());
  EXPECT_TRUE(result.ok()) << result.status().message();
  return result.ok() ? *result : TrainingStep();
}

/// All parameters and statistics.
inline std::vector<double> everything(const Model &model) {
  std::vector<double> all;
  for (int32_t i = 0; i < model.numComponents(); ++i) {
    const std::vector<float> parameters = parametersOf(model, i);
    all.insert(all.end(), parameters.begin(), parameters.end());
    for (const std::vector<double> &statistic : model.state(i).statistics)
      all.insert(all.end(), statistic.begin(), statistic.end());
  }
  return all;
}

} // namespace test
} // namespace rt
} // namespace nnet3

#endif // NNET3_RUNTIME_TEST_TRAIN_TRAINERTESTING_H
