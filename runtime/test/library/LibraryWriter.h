//===- LibraryWriter.h - The metadata of libraries for tests ----*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_RUNTIME_TEST_LIBRARY_LIBRARYWRITER_H
#define NNET3_RUNTIME_TEST_LIBRARY_LIBRARYWRITER_H

#include "nnet3/runtime/cuda/DeviceCode.h"
#include "test/support/AttributeData.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace nnet3 {
namespace rt {
namespace test {

/// Collects the parts of schema/library.fbs, which are open to tests that break
/// them.
struct LibraryWriter {
  struct ComponentData {
    std::string name, type;
    Attrs attrs;
  };
  struct CallData {
    int32_t component, inRows, inCols, outRows, outCols;
    Attrs precomputed; ///< none where empty
    uint32_t number = 0;
  };
  struct MatrixData {
    std::string name;
    int32_t rows, cols;
    uint64_t offset, stride;
    std::vector<int32_t> n, t, x;
  };
  struct RequestData {
    std::string name;
    uint64_t arenaFloats;
    std::vector<MatrixData> inputs, outputs;
    std::vector<int64_t> launches;
    std::optional<uint64_t> random;
    int32_t blocks = 1;
  };

  struct StateData {
    std::string node, output;
    std::vector<int32_t> times;
  };
  struct ChunkData {
    int32_t numFrames, first, next;
    int32_t numStreams = 1;
  };
  struct StreamData {
    int32_t left = 0, right = 0, factor = 1, period = 1;
    std::vector<StateData> states;
    std::vector<ChunkData> chunks;
  };

  std::string producer, network;
  std::vector<ComponentData> components;
  std::vector<CallData> calls;
  std::vector<RequestData> requests;
  /// The part of the weights that generated code reads, at their beginning.
  std::vector<float> codeWeights;
  /// The code of a list (core/LoopedList.h).
  std::vector<int32_t> rowTables;
  /// Absent where empty.
  std::string precision, layers;
  std::vector<std::string> cpuFeatures;
  /// The code for a GPU; absent if there are no kernels.
  cuda::DeviceCode device;
  std::optional<StreamData> stream;

  /// The FlatBuffer; fills in weights.
  std::vector<uint8_t> finish();

  /// All weights, once finished.
  std::vector<uint8_t> weights;
};

} // namespace test
} // namespace rt
} // namespace nnet3

#endif // NNET3_RUNTIME_TEST_LIBRARY_LIBRARYWRITER_H
