//===- InstructionSets.cpp - The table of instruction sets ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// All that the code generator knows of CPUs. A new one is a row.
//
//===----------------------------------------------------------------------===//

#include "InstructionSets.h"

using namespace mlir::nnet3;
using kernel::Precision;
using llvm::Triple;

static constexpr int64_t kKiB = 1024;

static constexpr VectorSet kVectorSets[] = {
    // name, architecture, features, bits, registers, FMA, L2
    {"avx512f", {Triple::x86_64, "+avx512f"}, 512, 32, true, 1024 * kKiB},
    {"avx2", {Triple::x86_64, "+avx2,+fma"}, 256, 16, true, 1024 * kKiB},
    {"avx", {Triple::x86_64, "+avx"}, 256, 16, false, 1024 * kKiB},
    {"sse2", {Triple::x86_64, "+sse2"}, 128, 16, false, 1024 * kKiB},
    {"neon", {Triple::aarch64, "+neon"}, 128, 32, true, 512 * kKiB},
    {"rvv", {Triple::riscv64, "+v"}, 128, 32, true, 512 * kKiB},
    {"simd128", {Triple::wasm32, "+simd128"}, 128, 16, false, 512 * kKiB},
};

static constexpr DotProductSet kDotProductSets[] = {
    // name, architecture, features, bits, elements, group, unsigned, intrinsic
    {"avx512bf16",
     {Triple::x86_64, "+avx512bf16"},
     512,
     Precision::BF16,
     2,
     false,
     "llvm.x86.avx512bf16.dpbf16ps.512"},
    {"avx512vnni",
     {Triple::x86_64, "+avx512vnni"},
     512,
     Precision::Int8,
     4,
     true,
     "llvm.x86.avx512.vpdpbusd.512"},
    {"avxvnni",
     {Triple::x86_64, "+avxvnni"},
     256,
     Precision::Int8,
     4,
     true,
     "llvm.x86.avx512.vpdpbusd.256"},
    {"bf16",
     {Triple::aarch64, "+bf16"},
     128,
     Precision::BF16,
     2,
     false,
     "llvm.aarch64.neon.bfdot.v4f32.v8bf16"},
    {"i8mm",
     {Triple::aarch64, "+i8mm"},
     128,
     Precision::Int8,
     4,
     true,
     "llvm.aarch64.neon.usdot.v4i32.v16i8"},
    {"dotprod",
     {Triple::aarch64, "+dotprod"},
     128,
     Precision::Int8,
     4,
     false,
     "llvm.aarch64.neon.sdot.v4i32.v16i8"},
};

static constexpr CpuLevel kCpuLevels[] = {
    {"x86-64-v4",
     {Triple::x86_64, "+avx512f,+avx512bw,+avx512cd,+avx512dq,+avx512vl"}},
    {"x86-64-v3",
     {Triple::x86_64, "+avx2,+bmi,+bmi2,+f16c,+fma,+lzcnt,+movbe"}},
    {"x86-64-v2", {Triple::x86_64, "+sse4.2,+popcnt"}},
    {"x86-64", {Triple::x86_64, ""}},
};

llvm::ArrayRef<VectorSet> mlir::nnet3::getVectorSets() { return kVectorSets; }

llvm::ArrayRef<DotProductSet> mlir::nnet3::getDotProductSets() {
  return kDotProductSets;
}

llvm::ArrayRef<CpuLevel> mlir::nnet3::getCpuLevels() { return kCpuLevels; }
