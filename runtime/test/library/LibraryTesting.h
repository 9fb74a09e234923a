//===- LibraryTesting.h - Opening and running libraries in tests *- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_RUNTIME_TEST_LIBRARY_LIBRARYTESTING_H
#define NNET3_RUNTIME_TEST_LIBRARY_LIBRARYTESTING_H

#include "LibraryWriter.h"
#include "nnet3/runtime/GeneratedCode.h"
#include "test/support/TestMatrix.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace nnet3 {
namespace rt {
namespace test {

struct ModelCloser {
  void operator()(nnet3lib_model *model) const { nnet3lib_model_close(model); }
};
struct InstanceDestroyer {
  void operator()(nnet3lib_instance *instance) const {
    nnet3lib_instance_destroy(instance);
  }
};
using ModelHandle = std::unique_ptr<nnet3lib_model, ModelCloser>;
using InstanceHandle = std::unique_ptr<nnet3lib_instance, InstanceDestroyer>;

/// The result of opening a library.
struct Opened {
  nnet3lib_status status = NNET3LIB_OK;
  std::string message;
  ModelHandle model;
};

/// \p weightsPath may be null.
Opened open(const nnet3lib_image &image, const char *weightsPath = nullptr,
            bool copyWeights = false);

/// An instance of a request; null if it cannot be created.
InstanceHandle createInstance(const nnet3lib_model *model, int32_t request = 0);

/// Zeroes with struct_size set.
template <typename Struct> Struct sized() {
  Struct value = {};
  value.struct_size = sizeof(value);
  return value;
}

/// A copy of bytes at an aligned address, of the exact size, so that a
/// sanitizer detects accesses beyond it.
class AlignedCopy {
public:
  explicit AlignedCopy(const std::vector<uint8_t> &bytes);
  const void *data() const { return memory.get(); }

private:
  struct Free {
    void operator()(void *memory) const;
  };
  std::unique_ptr<void, Free> memory;
};

/// An image with the metadata and weights of a test. The code of every request
/// is
/// \p run.
class TestImage {
public:
  TestImage(const std::vector<uint8_t> &metadata,
            const std::vector<uint8_t> &weights, nnet3lib_run_fn run);
  /// Makes an image of the parts in \p writer.
  TestImage(LibraryWriter &writer, nnet3lib_run_fn run)
      : TestImage(writer.finish(), writer.weights, run) {}
  const nnet3lib_image &get() const { return image; }

  nnet3lib_image image = {};

private:
  AlignedCopy metadata, weights;
  std::vector<nnet3lib_run_fn> runs;
};

nnet3lib_input inputOf(const Matrix &matrix);
nnet3lib_output outputOf(Matrix &matrix);

} // namespace test
} // namespace rt
} // namespace nnet3

#endif // NNET3_RUNTIME_TEST_LIBRARY_LIBRARYTESTING_H
