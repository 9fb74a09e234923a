//===- CpuFeatures.cpp - Instruction sets of this machine -----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "CpuFeatures.h"

#if defined(__linux__) && !defined(__x86_64__)
#include <sys/auxv.h>
#endif

namespace nnet3 {
namespace rt {

#if defined(__x86_64__)

bool isCpuFeature(std::string_view name) {
  __builtin_cpu_init();
  // The builtin accepts literals only.
#define NNET3_CPU_FEATURE(feature)                                             \
  if (name == feature)                                                         \
    return __builtin_cpu_supports(feature);
  NNET3_CPU_FEATURE("x86-64")
  NNET3_CPU_FEATURE("x86-64-v2")
  NNET3_CPU_FEATURE("x86-64-v3")
  NNET3_CPU_FEATURE("x86-64-v4")
  NNET3_CPU_FEATURE("sse2")
  NNET3_CPU_FEATURE("avx")
  NNET3_CPU_FEATURE("avx2")
  NNET3_CPU_FEATURE("avx512f")
  NNET3_CPU_FEATURE("avx512bf16")
  NNET3_CPU_FEATURE("avx512vnni")
  NNET3_CPU_FEATURE("avxvnni")
#undef NNET3_CPU_FEATURE
  return false;
}

#elif defined(__linux__)

namespace {
/// A bit of the auxiliary vector entries in which Linux reports CPU features.
struct KernelFeature {
  std::string_view name;
  unsigned long word; ///< AT_HWCAP or AT_HWCAP2
  unsigned bit;
};
} // namespace

// Numbers, because older kernel headers lack some of the names.
#if defined(__aarch64__)
static constexpr KernelFeature kFeatures[] = {
    {"neon", AT_HWCAP, 1},     {"dotprod", AT_HWCAP, 20},
    {"i8mm", AT_HWCAP2, 13},   {"bf16", AT_HWCAP2, 14},
    {"sve", AT_HWCAP, 22},     {"sve2", AT_HWCAP2, 1},
    {"svei8mm", AT_HWCAP2, 9}, {"svebf16", AT_HWCAP2, 12},
};
#elif defined(__arm__)
static constexpr KernelFeature kFeatures[] = {
    {"neon-armv7", AT_HWCAP, 12},
    {"neon-vfpv4", AT_HWCAP, 16},
};
#elif defined(__riscv)
static constexpr KernelFeature kFeatures[] = {{"rvv", AT_HWCAP, 'V' - 'A'}};
#else
static constexpr KernelFeature kFeatures[] = {{"", AT_HWCAP, 0}};
#endif

bool isCpuFeature(std::string_view name) {
  for (const KernelFeature &feature : kFeatures)
    if (feature.name == name)
      return getauxval(feature.word) >> feature.bit & 1;
  return false;
}

#else

/// On other systems the loader rejects code for other machines.
bool isCpuFeature(std::string_view) { return true; }

#endif

} // namespace rt
} // namespace nnet3
