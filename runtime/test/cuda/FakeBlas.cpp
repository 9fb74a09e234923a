//===- FakeBlas.cpp - cuBLAS without a GPU --------------------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "FakeCudaState.h"
#include "nnet3/runtime/cuda/DeviceCode.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace nnet3 {
namespace rt {
namespace cuda {
struct BlasImpl {
  StreamImpl *stream = nullptr;
  bool hasWorkspace = false;
};
struct BlasLtImpl {};
struct BlasLtDescImpl {
  int computeType = kCompute32;
  int32_t transposeA = kNoTranspose, epilogue = 0;
  const float *bias = nullptr;
};
struct BlasLtLayoutImpl {
  int type = kFloat32, rows = 0, columns = 0;
  int64_t ld = 0, distance = 0;
  int32_t batches = 1;
};
struct BlasLtPreferenceImpl {
  uint64_t workspace = 0;
  uint32_t alignment = 256; ///< the least of the matrices
};
} // namespace cuda

namespace test {

using namespace cuda;

/// Rounds an operand to the mantissa of the compute type. Ignores the smaller
/// range of fp16.
static float roundFactor(float x, int computeType) {
  const int bits = computeType == kComputeBf16 ? 7
                   : computeType == kCompute32 ? 23
                                               : 10;
  uint32_t word;
  std::memcpy(&word, &x, sizeof(word));
  const uint32_t dropped = 23 - bits;
  if (dropped)
    word = (word + (1u << (dropped - 1))) >> dropped << dropped;
  std::memcpy(&x, &word, sizeof(word));
  return x;
}

/// A number of 16 bits.
static float widen(uint16_t bits, int type) {
  const uint32_t sign = static_cast<uint32_t>(bits & 0x8000) << 16;
  uint32_t word = static_cast<uint32_t>(bits) << 16;
  if (type == kFloat16) {
    // Exponents are 15 more than they are there, and 127 more here.
    const uint32_t exponent = bits >> 10 & 31, fraction = bits & 1023;
    if (exponent == 0)
      return std::ldexp(sign ? -float(fraction) : float(fraction), -24);
    word =
        sign | (exponent == 31 ? 255 : exponent + 112) << 23 | fraction << 13;
  }
  float x;
  std::memcpy(&x, &word, sizeof(x));
  return x;
}

namespace {
/// Column by column: C := f(A^T B + beta C + bias), or with other factors
/// transposed.
struct FakeProduct {
  int m = 0, n = 0, k = 0;
  const void *a = nullptr, *b = nullptr;
  int factorType = kFloat32;
  const float *bias = nullptr;
  float *c = nullptr;
  float alpha = 1, beta = 0;
  int64_t lda = 0, ldb = 0, ldc = 0;
  int64_t strideA = 0, strideB = 0, strideC = 0;
  int batches = 1, computeType = kCompute32;
  bool relu = false;
  bool transposesA = true, transposesB = false;

  bool isGood() const {
    const bool isReduced = factorType == kFloat16 || factorType == kBfloat16;
    return lda >= (transposesA ? k : m) && ldb >= (transposesB ? n : k) &&
           ldc >= m &&
           (isReduced ? computeType == kCompute32 : factorType == kFloat32) &&
           m > 0 && n > 0 && k > 0 && batches > 0 && areOutputsApart();
  }
  bool areOutputsApart() const;
  bool isOnDevice() const;
  /// Whether all addresses and strides are multiples of \p bytes.
  bool isAligned(uint64_t bytes) const;
  int64_t getFactorBytes() const { return factorType == kFloat32 ? 4 : 2; }
  std::string getName() const;
  void run() const;
  void set(int batch, int row, int column) const;
  float load(const void *factor, int64_t at) const {
    return factorType == kFloat32
               ? roundFactor(static_cast<const float *>(factor)[at],
                             computeType)
               : widen(static_cast<const uint16_t *>(factor)[at], factorType);
  }
};
} // namespace

/// Outputs of batches may be inside of each other, but no number may be of two.
bool FakeProduct::areOutputsApart() const {
  std::vector<int64_t> columns;
  for (int64_t batch = 0; batch < batches; ++batch)
    for (int64_t j = 0; j < n; ++j)
      columns.push_back(batch * strideC + j * ldc);
  std::sort(columns.begin(), columns.end());
  for (size_t i = 1; i < columns.size(); ++i)
    if (columns[i] - columns[i - 1] < m)
      return false;
  return true;
}

bool FakeProduct::isOnDevice() const {
  auto check = [&](const void *memory, int64_t rows, int64_t columns,
                   int64_t ld, int64_t stride, int64_t bytes) {
    return test::isOnDevice(
        memory, bytes * ((batches - 1) * stride + (columns - 1) * ld + rows));
  };
  return check(a, transposesA ? k : m, transposesA ? m : k, lda, strideA,
               getFactorBytes()) &&
         check(b, transposesB ? n : k, transposesB ? k : n, ldb, strideB,
               getFactorBytes()) &&
         check(c, m, n, ldc, strideC, sizeof(float)) &&
         (!bias || test::isOnDevice(bias, sizeof(float) * m));
}

bool FakeProduct::isAligned(uint64_t bytes) const {
  const uint64_t all = reinterpret_cast<uint64_t>(a) |
                       reinterpret_cast<uint64_t>(b) |
                       reinterpret_cast<uint64_t>(c) |
                       getFactorBytes() * (lda | ldb | strideA | strideB) |
                       sizeof(float) * (ldc | strideC);
  return all % bytes == 0;
}

/// A name that is equal for matmuls of the same form.
std::string FakeProduct::getName() const {
  return std::to_string(m) + " x " + std::to_string(n) + " x " +
         std::to_string(k);
}

void FakeProduct::set(int batch, int i, int j) const {
  const int64_t left = batch * strideA + (transposesA ? i * lda : i),
                right = batch * strideB + (transposesB ? j : j * ldb);
  const int64_t nextA = transposesA ? 1 : lda, nextB = transposesB ? ldb : 1;
  float &y = c[batch * strideC + j * ldc + i];
  float sum = 0;
  for (int l = 0; l < k; ++l)
    sum += load(a, left + l * nextA) * load(b, right + l * nextB);
  sum *= alpha;
  if (beta != 0)
    sum += beta * y;
  if (bias)
    sum += bias[i];
  y = relu && !(sum > 0) ? 0 : sum;
}

void FakeProduct::run() const {
  for (int batch = 0; batch < batches; ++batch)
    for (int j = 0; j < n; ++j)
      for (int i = 0; i < m; ++i)
        set(batch, i, j);
}

/// Advances the clock.
static void advance(float time) {
  const std::lock_guard<std::mutex> lock(fake->mutex);
  fake->clock += time;
}

static Error gemm(Blas blas, int transposeA, int transposeB, int m, int n,
                  int k, const void *alpha, const void *left, int typeA,
                  int lda, long long strideA, const void *right, int typeB,
                  int ldb, long long strideB, const void *betaAt, void *result,
                  int typeC, int ldc, long long strideC, int batches,
                  int computeType, int algo) {
  FakeProduct product;
  product.m = m;
  product.n = n;
  product.k = k;
  product.a = left;
  product.b = right;
  product.c = static_cast<float *>(result);
  product.alpha = *static_cast<const float *>(alpha);
  product.beta = *static_cast<const float *>(betaAt);
  product.lda = lda;
  product.ldb = ldb;
  product.ldc = ldc;
  product.strideA = strideA;
  product.strideB = strideB;
  product.strideC = strideC;
  product.batches = batches;
  product.computeType = computeType;
  product.transposesA = transposeA == kTranspose;
  product.transposesB = transposeB == kTranspose;
  product.factorType = typeA;
  if (fake->onLaunch)
    fake->onLaunch();
  if (fails() || !product.isGood() || typeA != typeB || typeC != kFloat32 ||
      algo != kDefaultAlgo || !hasContext())
    return kBlasInvalidValue;
  // Without a workspace it would allocate one.
  if (isCapturing(blas->stream) && !blas->hasWorkspace)
    return kBlasFailed;
  if (!product.isOnDevice() || !product.isAligned(product.getFactorBytes()) ||
      !isLoaded(blas->stream, "gemm " + product.getName()))
    return kBlasFailed;
  enqueue(blas->stream, "gemm", [product] {
    product.run();
    advance(fake->gemmTime);
  });
  return 0;
}

static Error gemmSingle(Blas blas, int transposeA, int transposeB, int m, int n,
                        int k, const void *alpha, const void *left, int typeA,
                        int lda, const void *right, int typeB, int ldb,
                        const void *beta, void *result, int typeC, int ldc,
                        int computeType, int algo) {
  return gemm(blas, transposeA, transposeB, m, n, k, alpha, left, typeA, lda, 0,
              right, typeB, ldb, 0, beta, result, typeC, ldc, 0, /*batches=*/1,
              computeType, algo);
}

BlasApi makeFakeBlas() {
  BlasApi blas;
  blas.create = [](Blas *handle) {
    spoilCaptures();
    return hasContext() ? make(handle) : kBlasNotInitialized;
  };
  blas.destroy = [](Blas handle) {
    spoilCaptures();
    return destroy(handle);
  };
  blas.setStream = [](Blas handle, Stream stream) {
    handle->stream = stream;
    handle->hasWorkspace = false;
    return fails() ? kFailed : 0;
  };
  blas.setWorkspace = [](Blas handle, void *memory, size_t bytes) {
    if (fails() || reinterpret_cast<uintptr_t>(memory) % 256 != 0 ||
        !isOnDevice(memory, bytes))
      return kBlasInvalidValue;
    handle->hasWorkspace = true;
    return 0;
  };
  blas.gemmSingle = gemmSingle;
  blas.gemm = gemm;
  return blas;
}

//===----------------------------------------------------------------------===//
// cuBLASLt
//===----------------------------------------------------------------------===//

/// The first of the algorithms, the best one as the heuristic thinks.
static constexpr uint64_t kAlgo = 7;

/// The number of `algo` among FakeCuda's times; beyond them if it is none.
static uint64_t getNumber(const BlasLtAlgo &algo) {
  return algo.data[0] - kAlgo;
}

template <typename Type>
static Error read(Type &to, const void *value, size_t bytes) {
  if (bytes != sizeof(to))
    return kBlasInvalidValue;
  std::memcpy(&to, value, bytes);
  return 0;
}

static Error setDesc(BlasLtDesc desc, int attribute, const void *value,
                     size_t bytes) {
  if (fails())
    return kFailed;
  if (attribute == kDescTransposeA)
    return read(desc->transposeA, value, bytes);
  if (attribute == kDescEpilogue)
    return read(desc->epilogue, value, bytes);
  return attribute == kDescBias ? read(desc->bias, value, bytes)
                                : kBlasInvalidValue;
}

static Error setLayout(BlasLtLayout layout, int attribute, const void *value,
                       size_t bytes) {
  if (fails())
    return kFailed;
  if (attribute == kLayoutBatchCount)
    return read(layout->batches, value, bytes);
  return attribute == kLayoutBatchDistance
             ? read(layout->distance, value, bytes)
             : kBlasInvalidValue;
}

static Error setPreference(BlasLtPreference preference, int attribute,
                           const void *value, size_t bytes) {
  if (fails())
    return kFailed;
  if (attribute == kPreferenceWorkspace)
    return read(preference->workspace, value, bytes);
  uint32_t alignment = 0;
  const Error error = read(alignment, value, bytes);
  preference->alignment = std::min(preference->alignment, alignment);
  return error;
}

static Error findAlgo(BlasLt, BlasLtDesc, BlasLtLayout, BlasLtLayout,
                      BlasLtLayout, BlasLtLayout, BlasLtPreference preference,
                      int wanted, BlasLtHeuristic *results, int *count) {
  if (fails())
    return kFailed;
  ++fake->numHeuristics;
  const auto all = static_cast<int>(fake->algoTimes.size());
  *count = fake->hasAlgos ? std::min(wanted, all) : 0;
  for (int i = 0; i < *count; ++i) {
    results[i].algo.data[0] = kAlgo + i;
    results[i].algo.data[1] = preference->alignment;
    results[i].workspaceBytes = preference->workspace;
  }
  return *count ? 0 : kBlasNotSupported - kBlasErrors;
}

static Error checkAlgo(BlasLt, BlasLtDesc, BlasLtLayout, BlasLtLayout,
                       BlasLtLayout, BlasLtLayout, const BlasLtAlgo *algo,
                       BlasLtHeuristic *) {
  if (fails())
    return kFailed;
  return fake->takesAlgos && getNumber(*algo) < fake->algoTimes.size()
             ? 0
             : kBlasNotSupported - kBlasErrors;
}

static Error matmul(BlasLt, BlasLtDesc desc, const void *alpha,
                    const void *left, BlasLtLayout leftLayout,
                    const void *right, BlasLtLayout rightLayout,
                    const void *beta, const void *c, BlasLtLayout cLayout,
                    void *d, BlasLtLayout dLayout, const BlasLtAlgo *algo,
                    void *workspace, size_t, Stream stream) {
  if (fake->onLaunch)
    fake->onLaunch();
  FakeProduct product;
  product.m = dLayout->rows;
  product.n = dLayout->columns;
  product.k = leftLayout->rows;
  product.a = left;
  product.b = right;
  product.c = static_cast<float *>(d);
  product.bias = desc->bias;
  product.beta = *static_cast<const float *>(beta);
  product.lda = leftLayout->ld;
  product.ldb = rightLayout->ld;
  product.ldc = dLayout->ld;
  product.strideA = leftLayout->distance;
  product.strideB = rightLayout->distance;
  product.strideC = dLayout->distance;
  product.batches = dLayout->batches;
  product.computeType = desc->computeType;
  product.relu = desc->epilogue & Product::kRelu;
  product.factorType = leftLayout->type;
  if (fails() || rightLayout->type != leftLayout->type ||
      dLayout->type != kFloat32 || c != d || cLayout != dLayout ||
      !product.isGood() || *static_cast<const float *>(alpha) != 1 ||
      getNumber(*algo) >= fake->algoTimes.size() ||
      desc->transposeA != kTranspose || product.k != rightLayout->rows ||
      product.m != leftLayout->columns || product.n != rightLayout->columns ||
      !desc->bias == bool(desc->epilogue & Product::kBias) || !hasContext() ||
      reinterpret_cast<uintptr_t>(workspace) % 16 != 0)
    return kBlasInvalidValue;
  // Algorithms are for matrices of the alignment that they were asked for, and
  // read biases by 16 bytes.
  if (!product.isOnDevice() || !product.isAligned(algo->data[1]) ||
      reinterpret_cast<uintptr_t>(desc->bias) % 16 != 0 ||
      !isLoaded(stream, "matmul " + product.getName() + " " +
                            std::to_string(algo->data[0])))
    return kBlasFailed;
  const float time = fake->algoTimes[getNumber(*algo)];
  std::string name = "matmul";
  if (getNumber(*algo) != 0)
    name += " " + std::to_string(getNumber(*algo));
  enqueue(stream, name, [product, time] {
    product.run();
    advance(time);
  });
  return 0;
}

BlasLtApi makeFakeBlasLt() {
  BlasLtApi blas;
  blas.create = [](BlasLt *handle) {
    return hasContext() ? make(handle) : kBlasNotInitialized;
  };
  blas.destroy = [](BlasLt handle) { return destroy(handle); };
  blas.descCreate = [](BlasLtDesc *desc, int computeType, int type) {
    const Error error = type == kFloat32 ? make(desc) : kFailed;
    if (error == 0)
      (*desc)->computeType = computeType;
    return error;
  };
  blas.descDestroy = [](BlasLtDesc desc) { return destroy(desc); };
  blas.descSet = setDesc;
  blas.layoutCreate = [](BlasLtLayout *layout, int type, uint64_t rows,
                         uint64_t columns, int64_t ld) {
    const Error error = make(layout);
    if (error == 0) {
      (*layout)->type = type;
      (*layout)->rows = static_cast<int>(rows);
      (*layout)->columns = static_cast<int>(columns);
      (*layout)->ld = ld;
    }
    return error;
  };
  blas.layoutDestroy = [](BlasLtLayout layout) { return destroy(layout); };
  blas.layoutSet = setLayout;
  blas.preferenceCreate = [](BlasLtPreference *preference) {
    return make(preference);
  };
  blas.preferenceDestroy = [](BlasLtPreference preference) {
    return destroy(preference);
  };
  blas.preferenceSet = setPreference;
  blas.heuristic = findAlgo;
  blas.check = checkAlgo;
  blas.getProperty = [](int property, int *value) {
    *value = fake->blasLtVersion[property];
    return fails() ? kFailed : 0;
  };
  blas.matmul = matmul;
  return blas;
}

} // namespace test
} // namespace rt
} // namespace nnet3
