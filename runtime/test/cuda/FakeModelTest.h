//===- FakeModelTest.h - A model on a driver without a GPU ------*- C++ -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_RUNTIME_TEST_CUDA_FAKEMODELTEST_H
#define NNET3_RUNTIME_TEST_CUDA_FAKEMODELTEST_H

#include "FakeCuda.h"
#include "nnet3/runtime/cuda/DeviceModel.h"

#include <gtest/gtest.h>

namespace nnet3 {
namespace rt {
namespace test {

/// Base of tests of one model with one request.
class FakeModelTest : public ::testing::Test {
protected:
  /// y = 2 (x W^T), where x is 2 x 3, W is 2 x 3, and y is 2 x 2: a matmul and
  /// a kernel.
  void useDoubledProduct();

  Result<std::unique_ptr<cuda::DeviceModel>> tryModel();
  /// Null if there is none.
  std::unique_ptr<cuda::DeviceModel> createModel();

  FakeCuda cuda;
  std::shared_ptr<cuda::DeviceCode> code = std::make_shared<cuda::DeviceCode>();
  cuda::DeviceRequest request;
  std::vector<float> weights = {1, 0, 0, 1, 1, 1};
};

} // namespace test
} // namespace rt
} // namespace nnet3

#endif // NNET3_RUNTIME_TEST_CUDA_FAKEMODELTEST_H
