//===- DeviceModel.cpp - A model on a GPU ---------------------------------===//

#include "nnet3/runtime/cuda/DeviceModel.h"

#include <algorithm>
#include <limits>

namespace nnet3 {
namespace runtime {
namespace cuda {

Status makeStatus(const CudaApi &api, Error error, const std::string &doing) {
  constexpr Error kOutOfMemory = 2;
  return Status(error == kOutOfMemory ? NNET3RT_OUT_OF_MEMORY
                                      : NNET3RT_NO_DEVICE,
                "the GPU fails at " + doing + ": " + api.getName(error));
}

Error DeviceMemory::allocate(size_t bytes) {
  return api.driver.memAlloc(&pointer, std::max<size_t>(1, bytes));
}

void DeviceMemory::release() {
  if (pointer)
    api.driver.memFree(pointer);
  pointer = 0;
}

Result<std::unique_ptr<DeviceModel>>
DeviceModel::create(const CudaApi &api, int number, const DeviceCode &code,
                    const void *weights, size_t weightsBytes) {
  std::unique_ptr<DeviceModel> model(new DeviceModel(api, code));
  Status status = model->open(number, weights, weightsBytes);
  if (!status.ok())
    return status;
  return std::move(model);
}

/// What the context owns goes before it.
DeviceModel::~DeviceModel() {
  if (!context)
    return;
  {
    ContextScope scope(api, context);
    if (module)
      api.driver.moduleUnload(module);
    weights.release();
    rowTables.release();
  }
  api.driver.primaryRelease(device);
}

Status DeviceModel::open(int number, const void *data, size_t bytes) {
  if (Error error = api.driver.deviceGet(&device, number))
    return makeStatus(api, error, "finding device " + std::to_string(number));
  if (Error error = api.driver.primaryRetain(&context, device)) {
    context = nullptr;
    return makeStatus(api, error, "making a context");
  }
  ContextScope scope(api, context);
  if (scope.getError())
    return makeStatus(api, scope.getError(), "making a context current");
  if (Error error = api.driver.moduleLoad(&module, code.ptx.c_str())) {
    module = nullptr;
    return makeStatus(api, error, "compiling the kernels");
  }
  Status status = loadFunctions();
  if (status.ok())
    status = upload(weights, data, bytes);
  if (status.ok())
    status = upload(rowTables, code.rowTables.data(),
                    code.rowTables.size() * sizeof(int32_t));
  return status;
}

Status DeviceModel::loadFunctions() {
  for (const Kernel &kernel : code.kernels) {
    Function function = nullptr;
    if (!kernel.name.empty())
      if (Error error = api.driver.moduleGetFunction(&function, module,
                                                     kernel.name.c_str()))
        return makeStatus(api, error, "finding kernel '" + kernel.name + "'");
    functions.push_back(function);
  }
  return Status();
}

Status DeviceModel::upload(DeviceMemory &memory, const void *data,
                           size_t bytes) {
  Error error = memory.allocate(bytes);
  if (error == 0 && bytes != 0)
    error = api.driver.copyToDevice(memory.get(), data, bytes, nullptr);
  if (error == 0)
    error = api.driver.streamSynchronize(nullptr);
  return error ? makeStatus(api, error, "copying the weights") : Status();
}

static bool isInside(const DeviceMatrix &matrix, uint64_t floats) {
  const uint64_t size = static_cast<uint64_t>(matrix.rows) * matrix.cols;
  return matrix.rows > 0 && matrix.cols > 0 && matrix.place <= floats &&
         size <= floats - matrix.place;
}

Status DeviceModel::check(const DeviceRequest &request) const {
  for (const auto *list : {&request.inputs, &request.outputs})
    for (const DeviceMatrix &matrix : *list)
      if (!isInside(matrix, request.arenaFloats))
        return invalidProgram("a matrix is outside of the arena");
  const std::vector<int64_t> &launches = request.launches;
  for (size_t at = 0; at < launches.size();) {
    const int64_t number = launches[at];
    if (number < 0 || static_cast<size_t>(number) >= code.kernels.size())
      return invalidProgram("there is no kernel " + std::to_string(number));
    const size_t places = code.kernels[number].numPlaces;
    if (places > launches.size() - at - 1)
      return invalidProgram("the list of launches ends in one of kernel " +
                            std::to_string(number));
    at += 1 + places;
  }
  return Status();
}

} // namespace cuda
} // namespace runtime
} // namespace nnet3
