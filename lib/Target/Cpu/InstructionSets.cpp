//===- InstructionSets.cpp - The table of instruction sets ----------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Everything that the code generator knows about CPUs. A new CPU is a new row.
//
//===----------------------------------------------------------------------===//

#include "InstructionSets.h"

using namespace mlir::nnet3;
using kernel::Precision;
using llvm::Triple;

static constexpr int64_t kKiB = 1024;

static constexpr Architecture kArchitectures[] = {
    // architecture, triple, other triple, CPU, features, required, relocations
    {Triple::x86_64,
     "x86_64-linux-gnu",
     "",
     "x86-64",
     "",
     "+64bit",
     llvm::Reloc::PIC_,
     {}},
    {Triple::aarch64,
     "aarch64-linux-gnu",
     "aarch64-linux-android",
     "generic",
     "",
     "",
     llvm::Reloc::PIC_,
     {}},
    {Triple::riscv64,
     "riscv64-linux-gnu",
     "",
     "generic-rv64",
     "+m,+a,+f,+d,+c,+v",
     "+64bit",
     llvm::Reloc::PIC_,
     {/*extendsIntegers=*/true, /*requiresFma=*/false, /*roundsVectors=*/true}},
    {Triple::arm,
     "armv7-linux-gnueabihf",
     "",
     "generic",
     "+neon",
     "",
     llvm::Reloc::PIC_,
     {/*extendsIntegers=*/false, /*requiresFma=*/true}},
    {Triple::wasm32,
     "wasm32-unknown-unknown",
     "",
     "generic",
     "+simd128",
     "",
     llvm::Reloc::Static,
     {}},
};

static constexpr VectorSet kVectorSets[] = {
    // name, architecture, features, bits, registers, FMA, L2 bytes, row lanes,
    // bits of vscale, tuning, lane intrinsics, widening multiply
    {"avx512f", {Triple::x86_64, "+avx512f"}, 512, 32, true, 1024 * kKiB},
    {"avx2", {Triple::x86_64, "+avx2,+fma"}, 256, 16, true, 1024 * kKiB},
    // Without FMA a multiply-add needs temporaries: two of 16 registers.
    {"avx", {Triple::x86_64, "+avx"}, 256, 14, false, 1024 * kKiB},
    {"sse2", {Triple::x86_64, "+sse2"}, 128, 14, false, 1024 * kKiB},
    // A load that broadcasts an element to all lanes leaves the arithmetic
    // units free. For some CPUs, LLVM prefers two instructions of lower
    // latency. The first CPUs differ in the throughput of multiply by lane.
    {"sve2",
     {Triple::aarch64, "+sve2"},
     128,
     32,
     true,
     512 * kKiB,
     4,
     128,
     "-no-sve-fp-ld1r",
     "llvm.aarch64.sve.dupq.lane.nxv4f32",
     "llvm.aarch64.sve.fmla.lane.nxv4f32"},
    {"sve",
     {Triple::aarch64, "+sve"},
     128,
     32,
     true,
     512 * kKiB,
     1,
     128,
     "-no-sve-fp-ld1r"},
    {"neon",
     {Triple::aarch64, "+neon"},
     128,
     32,
     true,
     512 * kKiB,
     4,
     /*scalableBits=*/0,
     "",
     "",
     "",
     /*hasWideProducts=*/true},
    {"rvv",
     {Triple::riscv64, "+v"},
     128,
     32,
     true,
     512 * kKiB,
     1,
     64,
     "",
     "",
     "",
     /*hasWideProducts=*/true},
    // Two of 16 registers are left for elements of rows, which LLVM loads
    // early.
    {"neon-vfpv4", {Triple::arm, "+neon,+vfp4"}, 128, 14, true, 512 * kKiB},
    {"neon-armv7", {Triple::arm, "+neon"}, 128, 14, false, 256 * kKiB},
    // Browsers run the code on 16 registers. V8 reserves one, loads all rows
    // and columns of a step before the first multiplication, and adds products
    // from another register. With this number, tiles of 4 x 2 vectors keep
    // their accumulators in registers. It is the same for both sets, so that
    // they share packed weights.
    {"relaxed-simd",
     {Triple::wasm32, "+relaxed-simd"},
     128,
     12,
     true,
     512 * kKiB},
    {"simd128", {Triple::wasm32, "+simd128"}, 128, 12, false, 512 * kKiB},
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
    {"avx512vnni",
     {Triple::x86_64, "+avx512vnni"},
     512,
     Precision::Int16,
     2,
     false,
     "llvm.x86.avx512.vpdpwssd.512"},
    {"avxvnni",
     {Triple::x86_64, "+avxvnni"},
     256,
     Precision::Int8,
     4,
     true,
     "llvm.x86.avx512.vpdpbusd.256"},
    {"avxvnni",
     {Triple::x86_64, "+avxvnni"},
     256,
     Precision::Int16,
     2,
     false,
     "llvm.x86.avx512.vpdpwssd.256"},
    {"svebf16",
     {Triple::aarch64, "+sve,+bf16"},
     128,
     Precision::BF16,
     2,
     false,
     "llvm.aarch64.sve.bfdot",
     /*isScalable=*/true,
     "llvm.aarch64.sve.bfdot.lane.v2"},
    {"svei8mm",
     {Triple::aarch64, "+sve,+i8mm"},
     128,
     Precision::Int8,
     4,
     true,
     "llvm.aarch64.sve.usdot.nxv4i32",
     /*isScalable=*/true,
     "llvm.aarch64.sve.sudot.lane.nxv4i32"},
    {"sve",
     {Triple::aarch64, "+sve"},
     128,
     Precision::Int8,
     4,
     false,
     "llvm.aarch64.sve.sdot.nxv4i32",
     /*isScalable=*/true,
     "llvm.aarch64.sve.sdot.lane.nxv4i32"},
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

static constexpr PairProductSet kPairProductSets[] = {
    {"avx512bw",
     {Triple::x86_64, "+avx512bw"},
     512,
     "llvm.x86.avx512.pmaddw.d.512"},
    {"avx2", {Triple::x86_64, "+avx2"}, 256, "llvm.x86.avx2.pmadd.wd"},
    {"sse2", {Triple::x86_64, "+sse2"}, 128, "llvm.x86.sse2.pmadd.wd"},
    {"simd128", {Triple::wasm32, "+simd128"}, 128, "llvm.wasm.dot"},
};

// Every CPU with AVX2 also has F16C.
static constexpr HalfConversion kHalfConversions[] = {
    {"avx512f", {Triple::x86_64, "+avx512f"}},
    {"f16c", {Triple::x86_64, "+avx2,+f16c"}},
    {"neon", {Triple::aarch64, "+neon"}},
    {"fp16", {Triple::arm, "+fp16"}},
};

static constexpr CpuLevel kCpuLevels[] = {
    {"x86-64-v4",
     {Triple::x86_64, "+avx512f,+avx512bw,+avx512cd,+avx512dq,+avx512vl"}},
    {"x86-64-v3",
     {Triple::x86_64, "+avx2,+bmi,+bmi2,+f16c,+fma,+lzcnt,+movbe"}},
    {"x86-64-v2", {Triple::x86_64, "+sse4.2,+popcnt"}},
    {"x86-64", {Triple::x86_64, ""}},
};

static constexpr CpuVariant kCpuVariants[] = {
    // architecture, CPU, features, precision
    {Triple::x86_64, "x86-64-v4", "+avx512bf16", Precision::BF16},
    {Triple::x86_64, "x86-64-v4", "+avx512vnni", Precision::Int8},
    {Triple::x86_64, "x86-64-v4", "+avx512vnni", Precision::Int16},
    {Triple::x86_64, "x86-64-v4", "", std::nullopt},
    {Triple::x86_64, "x86-64-v3", "", std::nullopt},
    {Triple::x86_64, "x86-64", "", std::nullopt},
};

llvm::ArrayRef<Architecture> mlir::nnet3::getArchitectures() {
  return kArchitectures;
}

const Architecture *mlir::nnet3::findArchitecture(const Triple &triple) {
  for (const Architecture &architecture : kArchitectures)
    if (architecture.arch == triple.getArch() &&
        triple.getObjectFormat() ==
            Triple(architecture.triple).getObjectFormat())
      return &architecture;
  return nullptr;
}

llvm::ArrayRef<VectorSet> mlir::nnet3::getVectorSets() { return kVectorSets; }

llvm::ArrayRef<DotProductSet> mlir::nnet3::getDotProductSets() {
  return kDotProductSets;
}

llvm::ArrayRef<PairProductSet> mlir::nnet3::getPairProductSets() {
  return kPairProductSets;
}

llvm::ArrayRef<HalfConversion> mlir::nnet3::getHalfConversions() {
  return kHalfConversions;
}

llvm::ArrayRef<CpuLevel> mlir::nnet3::getCpuLevels() { return kCpuLevels; }

llvm::ArrayRef<CpuVariant> mlir::nnet3::getCpuVariants() {
  return kCpuVariants;
}
