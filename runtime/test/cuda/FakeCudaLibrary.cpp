//===- FakeCudaLibrary.cpp - Libraries of CUDA without a GPU --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The functions that the runtime looks up in libcuda, libcublas and
// libcublasLt, in one shared library, to test programs that load them. Kernels
// do nothing, matmuls are computed. Environment variables: FAKE_CUDA_LOG names
// a file for the log of calls; with FAKE_CUDA_NO_CODE, kernels cannot be
// compiled.
//
//===----------------------------------------------------------------------===//

#include "FakeCuda.h"

#include <cstdio>
#include <cstdlib>

using namespace nnet3::rt::cuda;

// Each symbol jumps to a function of the fake: parameters are passed on.
#define NNET3_FAKE_SYMBOL(slot, symbol, parameters)                            \
  extern "C" {                                                                 \
  __attribute__((visibility("hidden"))) Error(*slot) parameters = nullptr;     \
  }                                                                            \
  asm(".text\n.globl " symbol "\n.type " symbol ", @function\n" symbol         \
      ": jmp *" #slot "(%rip)\n.size " symbol ", .-" symbol);
#define NNET3_FAKE_DRIVER(name, symbol, parameters)                            \
  NNET3_FAKE_SYMBOL(nnet3_fake_driver_##name, symbol, parameters)
#define NNET3_FAKE_BLAS(name, symbol, parameters)                              \
  NNET3_FAKE_SYMBOL(nnet3_fake_blas_##name, symbol, parameters)
#define NNET3_FAKE_BLASLT(name, symbol, parameters)                            \
  NNET3_FAKE_SYMBOL(nnet3_fake_blaslt_##name, symbol, parameters)

NNET3_CUDA_DRIVER(NNET3_FAKE_DRIVER)
NNET3_CUDA_BLAS(NNET3_FAKE_BLAS)
NNET3_CUDA_BLASLT(NNET3_FAKE_BLASLT)

namespace {
struct Loaded {
  Loaded() {
    cuda.ignoresKernels = true;
    cuda.takesCode = !std::getenv("FAKE_CUDA_NO_CODE");
    // Tests use addresses of the program, which has no device.
    cuda.takesAnyAddress = true;
    const CudaApi &api = cuda.getApi();
#define NNET3_FAKE_FILL_DRIVER(name, symbol, parameters)                       \
  nnet3_fake_driver_##name = api.driver.name;
#define NNET3_FAKE_FILL_BLAS(name, symbol, parameters)                         \
  nnet3_fake_blas_##name = api.blas.name;
#define NNET3_FAKE_FILL_BLASLT(name, symbol, parameters)                       \
  nnet3_fake_blaslt_##name = api.blasLt.name;
    NNET3_CUDA_DRIVER(NNET3_FAKE_FILL_DRIVER)
    NNET3_CUDA_BLAS(NNET3_FAKE_FILL_BLAS)
    NNET3_CUDA_BLASLT(NNET3_FAKE_FILL_BLASLT)
  }
  ~Loaded() {
    const char *path = std::getenv("FAKE_CUDA_LOG");
    std::FILE *log = path ? std::fopen(path, "a") : nullptr;
    if (!log)
      return;
    for (const std::string &call : cuda.calls)
      std::fprintf(log, "%s\n", call.c_str());
    std::fprintf(log, "heuristics: %lld\n",
                 static_cast<long long>(cuda.numHeuristics.load()));
    std::fclose(log);
  }

  /// Never destroyed: what it refers to may be gone by then.
  nnet3::rt::test::FakeCuda &cuda = *new nnet3::rt::test::FakeCuda;
};
} // namespace

static Loaded loaded;
