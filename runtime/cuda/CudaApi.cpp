//===- CudaApi.cpp - Loading CUDA -----------------------------------------===//

#include "nnet3/runtime/cuda/CudaApi.h"

#include <dlfcn.h>

namespace nnet3 {
namespace runtime {
namespace cuda {

namespace {
/// An opened library, and what it lacks.
class SharedLibrary {
public:
  /// Opens the first of \p names that is there.
  template <size_t count>
  explicit SharedLibrary(const char *const (&names)[count]) {
    for (const char *name : names)
      if (!handle)
        handle = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    if (!handle)
      missing = names[0];
  }

  template <typename FunctionType>
  void find(FunctionType &function, const char *symbol) {
    if (!missing.empty())
      return;
    function = reinterpret_cast<FunctionType>(dlsym(handle, symbol));
    if (!function)
      missing = symbol;
  }

  /// The library or symbol that is not there; empty if all are.
  const std::string &getMissing() const { return missing; }

private:
  void *handle = nullptr;
  std::string missing;
};
} // namespace

static Status noDevice(const std::string &missing) {
  return Status(NNET3RT_NO_DEVICE,
                "needs a GPU: '" + missing + "' is not on this machine");
}

static Result<const CudaApi *> load() {
  static CudaApi api;
  SharedLibrary driver({"libcuda.so.1"});
#define NNET3_CUDA_FIND(name, symbol, parameters)                              \
  driver.find(api.driver.name, symbol);
  NNET3_CUDA_DRIVER(NNET3_CUDA_FIND)
#undef NNET3_CUDA_FIND
  if (!driver.getMissing().empty())
    return noDevice(driver.getMissing());
  SharedLibrary blas({"libcublas.so.13", "libcublas.so.12", "libcublas.so"});
#define NNET3_CUDA_FIND(name, symbol, parameters)                              \
  blas.find(api.blas.name, symbol);
  NNET3_CUDA_BLAS(NNET3_CUDA_FIND)
#undef NNET3_CUDA_FIND
  if (!blas.getMissing().empty())
    return noDevice(blas.getMissing());
  SharedLibrary blasLt(
      {"libcublasLt.so.13", "libcublasLt.so.12", "libcublasLt.so"});
#define NNET3_CUDA_FIND(name, symbol, parameters)                              \
  blasLt.find(api.blasLt.name, symbol);
  NNET3_CUDA_BLASLT(NNET3_CUDA_FIND)
#undef NNET3_CUDA_FIND
  api.hasBlasLt = blasLt.getMissing().empty();
  if (const Error error = api.driver.init(0))
    return Status(NNET3RT_NO_DEVICE, "the driver of the GPU does not start: " +
                                         api.getName(error));
  return &api;
}

Result<const CudaApi *> loadCudaApi() {
  static const Result<const CudaApi *> api = load();
  return api;
}

std::string CudaApi::getName(Error error) const {
  const char *name = nullptr;
  if (driver.getErrorName && driver.getErrorName(error, &name) == 0 && name)
    return name;
  return "error " + std::to_string(error);
}

} // namespace cuda
} // namespace runtime
} // namespace nnet3
