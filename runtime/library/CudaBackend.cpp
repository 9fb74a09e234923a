//===- CudaBackend.cpp - Libraries for a GPU ------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "CudaBackend.h"
#include "CudaMetadata.h"
#include "nnet3/runtime/GeneratedCode.h"
#include "nnet3/runtime/cuda/DeviceInstance.h"
#include "nnet3/runtime/cuda/Tuner.h"

#include <map>
#include <mutex>

namespace nnet3 {
namespace rt {

namespace {

class CudaInstance : public BackendInstance {
public:
  explicit CudaInstance(std::unique_ptr<cuda::DeviceInstance> instance,
                        const cuda::DeviceRequest &request)
      : instance(std::move(instance)), from(request.inputs.size()),
        to(request.outputs.size()) {}

  MatrixView getInput(int32_t index) override {
    return instance->getInput(index);
  }
  ConstMatrixView getOutput(int32_t index) const override {
    return instance->getOutput(index);
  }
  nnet3lib_status submit() override { return getCode(instance->submit()); }
  nnet3lib_status wait() override { return getCode(instance->wait()); }
  nnet3lib_status submitOnDevice(const nnet3lib_input *inputs,
                                 const nnet3lib_output *outputs) override;

private:
  static nnet3lib_status getCode(const Status &status) {
    return status.ok() ? NNET3LIB_OK : NNET3LIB_DEVICE_FAILED;
  }

  std::unique_ptr<cuda::DeviceInstance> instance;
  std::vector<cuda::DeviceRows> from, to;
};

/// The code of a library, and its models on devices.
class CudaModel : public BackendModel {
public:
  CudaModel(const Weights &weights, Result<const cuda::CudaApi *> (*loadApi)())
      : weights(weights), loadApi(loadApi) {}

  Status read(const nnet3lib_model &model) {
    auto read = std::make_shared<cuda::DeviceCode>();
    Status status = readCudaMetadata(model, *read, requests);
    code = std::move(read);
    return status;
  }
  OpenResult
  createInstance(int32_t request, const nnet3lib_instance_options &options,
                 std::unique_ptr<BackendInstance> &instance) const override;
  OpenResult tune(int32_t device, void *memory, uint64_t size) const override;

private:
  Result<const cuda::DeviceModel *> getDevice(int32_t number) const;

  const Weights &weights;
  Result<const cuda::CudaApi *> (*loadApi)();
  std::shared_ptr<const cuda::DeviceCode> code;
  std::vector<cuda::DeviceRequest> requests;
  mutable std::mutex mutex;
  /// By device number. All instances on a device share a model, so that the
  /// weights are copied once.
  mutable std::map<int32_t, std::unique_ptr<cuda::DeviceModel>> devices;
};

} // namespace

nnet3lib_status CudaInstance::submitOnDevice(const nnet3lib_input *inputs,
                                             const nnet3lib_output *outputs) {
  for (size_t i = 0; i < from.size(); ++i)
    from[i] = {reinterpret_cast<cuda::Pointer>(inputs[i].data),
               inputs[i].stride};
  for (size_t i = 0; i < to.size(); ++i)
    to[i] =
        outputs
            ? cuda::DeviceRows{reinterpret_cast<cuda::Pointer>(outputs[i].data),
                               outputs[i].stride}
            : cuda::DeviceRows();
  return getCode(instance->submitOnDevice(from, to));
}

Result<const cuda::DeviceModel *> CudaModel::getDevice(int32_t number) const {
  const std::lock_guard<std::mutex> lock(mutex);
  const auto known = devices.find(number);
  if (known != devices.end())
    return known->second.get();
  auto api = loadApi();
  if (!api.ok())
    return api.status();
  auto uploaded =
      cuda::DeviceWeights::create(**api, number, weights.data, weights.size);
  if (!uploaded.ok())
    return uploaded.status();
  auto model = cuda::DeviceModel::create(*uploaded, code);
  if (!model.ok())
    return model.status();
  return (devices[number] = std::move(*model)).get();
}

static OpenResult getResult(const Status &status) {
  switch (status.statusCode()) {
  case NNET3RT_OUT_OF_MEMORY:
    return {NNET3LIB_OUT_OF_MEMORY, status.message()};
  case NNET3RT_INVALID_PROGRAM:
    return {NNET3LIB_DAMAGED, status.message()};
  default:
    return {NNET3LIB_NO_DEVICE, status.message()};
  }
}

OpenResult
CudaModel::createInstance(int32_t request,
                          const nnet3lib_instance_options &options,
                          std::unique_ptr<BackendInstance> &instance) const {
  auto model = getDevice(options.device);
  if (!model.ok())
    return getResult(model.status());
  auto made = cuda::DeviceInstance::create(
      **model, requests[request], static_cast<cuda::Stream>(options.stream));
  if (!made.ok())
    return getResult(made.status());
  (*made)->setSeed(options.seed);
  instance =
      std::make_unique<CudaInstance>(std::move(*made), requests[request]);
  return {};
}

OpenResult CudaModel::tune(int32_t device, void *memory, uint64_t size) const {
  auto model = getDevice(device);
  if (!model.ok())
    return getResult(model.status());
  auto machine = (*model)->getMachine();
  if (!machine.ok())
    return getResult(machine.status());
  auto algorithms = cuda::tune(**model, requests);
  if (!algorithms.ok())
    return getResult(algorithms.status());
  if (!cuda::writeAlgorithms(*machine, *algorithms, memory, size))
    return {NNET3LIB_DAMAGED, "there is too little room for algorithms"};
  return {};
}

OpenResult loadCudaModel(const nnet3lib_model &model,
                         Result<const cuda::CudaApi *> (*loadApi)(),
                         std::unique_ptr<BackendModel> &loaded) {
  auto read = std::make_unique<CudaModel>(model.weights, loadApi);
  if (Status status = read->read(model); !status.ok())
    return {NNET3LIB_DAMAGED, status.message()};
  loaded = std::move(read);
  return {};
}

} // namespace rt
} // namespace nnet3

using namespace nnet3::rt;

extern "C" const nnet3lib_backend nnet3lib_cuda_backend = {
    [](const nnet3lib_model &model, std::unique_ptr<BackendModel> &loaded) {
      return loadCudaModel(model, cuda::loadCudaApi, loaded);
    }};
