//===- CudaApi.cpp - Loading CUDA -----------------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "nnet3/runtime/cuda/CudaApi.h"

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>

namespace nnet3 {
namespace rt {
namespace cuda {

namespace {
/// An opened library, and the first symbol that it lacks.
class SharedLibrary {
public:
  /// Opens the first of \p names that exists.
  template <size_t count>
  explicit SharedLibrary(const char *const (&names)[count]) {
    for (const char *name : names)
      if (!handle)
        open(name);
    if (!handle)
      missing = "'" + std::string(names[0]) + "' is not on this machine" + why;
  }

  template <typename FunctionType>
  void find(FunctionType &function, const char *symbol) {
    if (!missing.empty())
      return;
    function = reinterpret_cast<FunctionType>(dlsym(handle, symbol));
    if (!function)
      missing = "'" + std::string(symbol) + "' is not on this machine";
  }

  /// The missing library or symbol; empty if there is none.
  const std::string &getMissing() const { return missing; }

private:
  void open(const char *name);

  void *handle = nullptr;
  std::string missing, why;
};
} // namespace

/// Keeps the error of a library that exists but cannot be loaded.
void SharedLibrary::open(const char *name) {
  handle = dlopen(name, RTLD_NOW | RTLD_LOCAL);
  const char *text = handle ? nullptr : dlerror();
  const std::string notFound =
      name + std::string(": cannot open shared object file");
  if (text && why.empty() && std::string(text).rfind(notFound, 0) != 0)
    why = std::string(": ") + text;
}

static Status noDevice(const std::string &missing) {
  return Status(NNET3RT_NO_DEVICE, "needs a GPU: " + missing);
}

// Includes paths for CUDA installations that the loader does not search. Named
// arrays have their own sections, which the linker drops from libraries for
// CPUs.
static constexpr const char *kDriver[] = {"libcuda.so.1"};
static constexpr const char *kBlas[] = {"libcublas.so.13", "libcublas.so.12",
                                        "libcublas.so",
                                        "/usr/local/cuda/lib64/libcublas.so"};
static constexpr const char *kBlasLt[] = {
    "libcublasLt.so.13", "libcublasLt.so.12", "libcublasLt.so",
    "/usr/local/cuda/lib64/libcublasLt.so"};

static Result<const CudaApi *> load() {
  static CudaApi api;
  SharedLibrary driver(kDriver);
#define NNET3_CUDA_FIND(name, symbol, parameters)                              \
  driver.find(api.driver.name, symbol);
  NNET3_CUDA_DRIVER(NNET3_CUDA_FIND)
#undef NNET3_CUDA_FIND
  if (!driver.getMissing().empty())
    return noDevice(driver.getMissing());
  SharedLibrary blas(kBlas);
#define NNET3_CUDA_FIND(name, symbol, parameters)                              \
  blas.find(api.blas.name, symbol);
  NNET3_CUDA_BLAS(NNET3_CUDA_FIND)
#undef NNET3_CUDA_FIND
  if (!blas.getMissing().empty())
    return noDevice(blas.getMissing());
  // Already loaded as a dependency of cuBLAS.
  SharedLibrary blasLt(kBlasLt);
#define NNET3_CUDA_FIND(name, symbol, parameters)                              \
  blasLt.find(api.blasLt.name, symbol);
  NNET3_CUDA_BLASLT(NNET3_CUDA_FIND)
#undef NNET3_CUDA_FIND
  api.debug = DebugOptions::parse(std::getenv("NNET3_CUDA"));
  api.hasBlasLt = blasLt.getMissing().empty() && api.debug.usesBlasLt;
  api.tell("the libraries are loaded");
  if (const Error error = api.driver.init(0))
    return Status(NNET3RT_NO_DEVICE, "the driver of the GPU does not start: " +
                                         api.getName(error));
  api.tell("the driver has started");
  return &api;
}

Result<const CudaApi *> loadCudaApi() {
  static const Result<const CudaApi *> api = load();
  return api;
}

DebugOptions DebugOptions::parse(const char *words) {
  DebugOptions options;
  const std::string all = "," + std::string(words ? words : "") + ",";
  auto has = [&](const char *word) {
    return all.find("," + std::string(word) + ",") != std::string::npos;
  };
  options.isSynchronous = has("sync");
  options.usesGraphs = !options.isSynchronous && !has("nographs");
  options.usesBlasLt = !has("nolt");
  options.isVerbose = has("verbose");
  return options;
}

void CudaApi::tell(const std::string &what) const {
  using Clock = std::chrono::steady_clock;
  static const Clock::time_point begin = Clock::now();
  if (!debug.isVerbose)
    return;
  const std::chrono::duration<double, std::milli> time = Clock::now() - begin;
  std::fprintf(stderr, "cuda, %8.2f ms: %s\n", time.count(), what.c_str());
}

static const char *getBlasName(int status) {
  switch (status) {
  case 1:
    return "CUBLAS_STATUS_NOT_INITIALIZED";
  case 3:
    return "CUBLAS_STATUS_ALLOC_FAILED";
  case 7:
    return "CUBLAS_STATUS_INVALID_VALUE";
  case 8:
    return "CUBLAS_STATUS_ARCH_MISMATCH";
  case 11:
    return "CUBLAS_STATUS_MAPPING_ERROR";
  case 13:
    return "CUBLAS_STATUS_EXECUTION_FAILED";
  case 14:
    return "CUBLAS_STATUS_INTERNAL_ERROR";
  case 15:
    return "CUBLAS_STATUS_NOT_SUPPORTED";
  default:
    return nullptr;
  }
}

std::string CudaApi::getName(Error error) const {
  if (error > kBlasErrors) {
    const char *name = getBlasName(error - kBlasErrors);
    return name
               ? name
               : "status " + std::to_string(error - kBlasErrors) + " of cuBLAS";
  }
  const char *name = nullptr;
  if (driver.getErrorName && driver.getErrorName(error, &name) == 0 && name)
    return name;
  return "error " + std::to_string(error);
}

} // namespace cuda
} // namespace rt
} // namespace nnet3
