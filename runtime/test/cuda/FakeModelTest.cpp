//===- FakeModelTest.cpp - A model on a driver without a GPU --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "FakeModelTest.h"

using namespace nnet3::rt;
using namespace nnet3::rt::test;
using nnet3::rt::cuda::DeviceModel;

void FakeModelTest::useDoubledProduct() {
  cuda.kernels["twice"] = {[](const KernelLaunch &launch) {
                             for (int i = 0; i < launch.tables[0]; ++i)
                               launch.arena[launch.places[1] + i] =
                                   2 * launch.arena[launch.places[0] + i];
                           },
                           2};
  nnet3::rt::cuda::Kernel product, twice;
  product.numPlaces = 3;
  product.product = {2, 2, 3, 3, 3, 2, 1, 0, 0, 0};
  twice.name = "twice";
  twice.numPlaces = 2;
  code->ptx = {{80, "// for sm_80"}, {90, "// for sm_90"}};
  code->kernels = {product, twice};
  code->rowTables = {4};
  request.arenaFloats = 32;
  request.inputs = {{0, 2, 3}};
  request.outputs = {{16, 2, 2}};
  request.launches = {0, 0, 0, 8, /**/ 1, 8, 16};
}

Result<std::unique_ptr<DeviceModel>> FakeModelTest::tryModel() {
  auto uploaded = nnet3::rt::cuda::DeviceWeights::create(
      cuda.getApi(), 0, weights.data(), sizeof(float) * weights.size());
  if (!uploaded.ok())
    return uploaded.status();
  return DeviceModel::create(*uploaded, code);
}

std::unique_ptr<DeviceModel> FakeModelTest::createModel() {
  auto model = tryModel();
  return model.ok() ? std::move(*model) : nullptr;
}
