//===- TrainingNetwork.h - Networks that tests train ------------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_RUNTIME_TEST_TRAIN_TRAININGNETWORK_H
#define NNET3_RUNTIME_TEST_TRAIN_TRAININGNETWORK_H

#include "nnet3/runtime/Model.h"
#include "test/support/ProgramWriter.h"

namespace nnet3 {
namespace rt {
namespace test {

/// A component of a chain.
struct Layer {
  std::string name;
  std::string type;
  int32_t outputDim;
  Attrs attrs;
};

/// An AffineComponent, or of \p type, with random parameters and further
/// attributes.
Layer affineLayer(const std::string &name, int32_t inputDim, int32_t outputDim,
                  uint32_t seed, const Attrs &more = {},
                  const std::string &type = "AffineComponent");

/// A LinearComponent with these parameters and further attributes.
Layer linearLayer(const std::string &name, const Matrix &params,
                  const Attrs &more = {});

/// A component that has no attribute but its dimension.
Layer simpleLayer(const std::string &name, const std::string &type,
                  int32_t dim);

/// The request of a chain.
struct ChainRequest {
  int32_t rows = 1;
  int32_t inputDim = 1;
  int32_t numSequences = 1; ///< equal shares of the rows; 0 = not told
  bool isQuadratic = false;
  bool storeStats = false;
  bool withBackward = true;
  bool updatesModel = true;
};

/// Runs "input" through all layers to "output", and back.
ProgramWriter writeChain(const std::vector<Layer> &layers,
                         const ChainRequest &request);

/// The program with these layers that has no commands.
std::shared_ptr<const Program> componentsOnly(const std::vector<Layer> &layers);

/// All parameters of component \p index, one after the other.
std::vector<float> parametersOf(const Model &model, int32_t index);

/// Overwrites the parameters of component \p index with random numbers.
void randomizeParameters(Model &model, int32_t index, uint32_t seed,
                         float scale);

} // namespace test
} // namespace rt
} // namespace nnet3

#endif // NNET3_RUNTIME_TEST_TRAIN_TRAININGNETWORK_H
