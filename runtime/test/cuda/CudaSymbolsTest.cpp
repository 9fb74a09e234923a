//===- CudaSymbolsTest.cpp - Functions in NVIDIA's libraries --------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Needs no GPU: the driver's functions are in the stub library for linking, and
// cuBLASLt creates descriptors without a device.
//
//===----------------------------------------------------------------------===//

#include "nnet3/runtime/cuda/FusedProduct.h"

#include <dlfcn.h>
#include <gtest/gtest.h>

using namespace nnet3::rt::cuda;

namespace {

#define NNET3_CUDA_SYMBOL(name, symbol, parameters) symbol,
constexpr const char *kDriver[] = {NNET3_CUDA_DRIVER(NNET3_CUDA_SYMBOL)};
constexpr const char *kBlas[] = {NNET3_CUDA_BLAS(NNET3_CUDA_SYMBOL)};
constexpr const char *kBlasLt[] = {NNET3_CUDA_BLASLT(NNET3_CUDA_SYMBOL)};
#undef NNET3_CUDA_SYMBOL

/// A library of where CUDA is installed, for as long as this lives.
class Library {
public:
  explicit Library(const std::string &name)
      : handle(dlopen(("/usr/local/cuda/lib64/" + name).c_str(),
                      RTLD_LAZY | RTLD_LOCAL)) {}
  ~Library() {
    if (handle)
      dlclose(handle);
  }
  Library(const Library &) = delete;
  Library &operator=(const Library &) = delete;

  bool isThere() const { return handle; }
  void *find(const char *symbol) const { return dlsym(handle, symbol); }

private:
  void *handle;
};

template <size_t count>
void expectAll(const std::string &name, const char *const (&symbols)[count]) {
  const Library library(name);
  if (!library.isThere())
    GTEST_SKIP() << "CUDA is not installed here";
  for (const char *symbol : symbols)
    EXPECT_NE(library.find(symbol), nullptr) << symbol;
}

} // namespace

TEST(CudaSymbolsTest, Driver) { expectAll("stubs/libcuda.so", kDriver); }

TEST(CudaSymbolsTest, Blas) { expectAll("libcublas.so", kBlas); }

TEST(CudaSymbolsTest, BlasLt) { expectAll("libcublasLt.so", kBlasLt); }

/// Attributes have the types and sizes that cuBLASLt expects: its only error is
/// the missing handle.
TEST(CudaSymbolsTest, Descriptors) {
  const Library library("libcublasLt.so");
  if (!library.isThere())
    GTEST_SKIP() << "CUDA is not installed here";
  BlasLtApi api;
#define NNET3_CUDA_FIND(name, symbol, parameters)                              \
  api.name = reinterpret_cast<decltype(api.name)>(library.find(symbol));
  NNET3_CUDA_BLASLT(NNET3_CUDA_FIND)
#undef NNET3_CUDA_FIND
  Product product = {50, 24, 20, 20, 20, 24, 3, 1000, 1200, 1};
  product.epilogue = Product::kBias | Product::kRelu;
  const ProductPlaces places = {4096, 8192, 16384, 32768};
  for (auto [factors, compute] : {std::pair(int(kFloat32), int(kCompute32)),
                                  {kFloat32, kComputeTf32},
                                  {kFloat32, kComputeFp16},
                                  {kFloat32, kComputeBf16},
                                  {kFloat16, kCompute32},
                                  {kBfloat16, kCompute32}}) {
    product.factorType = factors;
    BlasLtAlgo algo;
    constexpr int kNotInitialized = 1;
    EXPECT_EQ(FusedProduct(api, product, places, compute)
                  .find(/*handle=*/nullptr, 1 << 20, algo),
              ofBlas(kNotInitialized));
  }
  int version = 0;
  EXPECT_EQ(api.getProperty(kVersionMajor, &version), 0);
  EXPECT_GE(version, 11);
}
