//===- LibraryTesting.cpp - Opening and running libraries in tests --------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "LibraryTesting.h"
#include "nnet3/runtime/Container.h"

#include <algorithm>
#include <cstdlib>

namespace nnet3 {
namespace rt {
namespace test {

/// More than any test library has.
static constexpr size_t kMaxRequests = 1024;

Opened open(const nnet3lib_image &image, const char *weightsPath,
            bool copyWeights) {
  char message[512] = "not set";
  auto options = sized<nnet3lib_open_options>();
  options.copy_weights = copyWeights;
  options.weights_path = weightsPath;
  options.message = message;
  options.message_size = sizeof(message);
  nnet3lib_model *model = nullptr;
  Opened opened;
  opened.status =
      nnet3lib_model_open_image(NNET3LIB_ABI_VERSION, &options, &model, &image);
  opened.message = message;
  opened.model.reset(model);
  return opened;
}

InstanceHandle createInstance(const nnet3lib_model *model, int32_t request) {
  nnet3lib_instance *instance = nullptr;
  nnet3lib_instance_create(model, request, &instance);
  return InstanceHandle(instance);
}

AlignedCopy::AlignedCopy(const std::vector<uint8_t> &bytes) {
  void *data = nullptr;
  if (posix_memalign(&data, 64, std::max<size_t>(bytes.size(), 1)) != 0)
    abort();
  std::copy(bytes.begin(), bytes.end(), static_cast<uint8_t *>(data));
  memory.reset(data);
}

void AlignedCopy::Free::operator()(void *memory) const { std::free(memory); }

TestImage::TestImage(const std::vector<uint8_t> &metadataBytes,
                     const std::vector<uint8_t> &weightsBytes,
                     nnet3lib_run_fn run)
    : metadata(metadataBytes), weights(weightsBytes), runs(kMaxRequests, run) {
  image.version = NNET3LIB_IMAGE_VERSION;
  image.metadata = metadata.data();
  image.metadata_size = metadataBytes.size();
  image.metadata_checksum =
      checksum(metadataBytes.data(), metadataBytes.size());
  image.weights = weights.data();
  image.weights_size = weightsBytes.size();
  image.runs = runs.data();
}

nnet3lib_input inputOf(const Matrix &matrix) {
  return {matrix.values.data(), matrix.cols, matrix.rows, matrix.cols};
}

nnet3lib_output outputOf(Matrix &matrix) {
  return {matrix.values.data(), matrix.cols, matrix.rows, matrix.cols};
}

} // namespace test
} // namespace rt
} // namespace nnet3
