// RUN: nnet3-opt --kernel-set-target=cpu=x86-64-v2 %s | FileCheck --check-prefix=V2 %s
// RUN: nnet3-opt --kernel-set-target=cpu=sandybridge %s | FileCheck --check-prefix=AVX %s
// RUN: nnet3-opt --kernel-set-target=cpu=alderlake %s | FileCheck --check-prefix=ALDERLAKE %s
// RUN: nnet3-opt --kernel-set-target=cpu=x86-64-v4 %s | FileCheck --check-prefix=V4 %s
// RUN: nnet3-opt --kernel-set-target=cpu=znver4 %s | FileCheck --check-prefix=ZNVER4 %s
// RUN: nnet3-opt --kernel-set-target=instruction-sets=neon,bf16,dotprod,i8mm %s | FileCheck --check-prefix=NEON %s
// RUN: nnet3-opt --kernel-set-target="target=aarch64-linux-gnu cpu=neoverse-v1 features=-sve" %s | FileCheck --check-prefix=NEON %s
// RUN: nnet3-opt --kernel-set-target="target=aarch64-linux-gnu cpu=neoverse-v1" %s | FileCheck --check-prefix=SVE %s
// RUN: nnet3-opt --kernel-set-target=instruction-sets=neon,sve,svebf16,svei8mm %s | FileCheck --check-prefix=SVE %s
// RUN: nnet3-opt --kernel-set-target="target=aarch64-linux-gnu cpu=neoverse-v2" %s | FileCheck --check-prefix=SVE2 %s
// RUN: nnet3-opt --kernel-set-target="target=riscv64-linux-gnu cpu=sifive-x280" %s | FileCheck --check-prefix=RVV %s
// RUN: nnet3-opt --kernel-set-target="target=aarch64-linux-gnu cpu=generic features=+bf16,+i8mm,+dotprod" %s | FileCheck --check-prefix=NEON %s
// RUN: nnet3-opt --kernel-set-target="target=aarch64-linux-gnu cpu=generic features=+fp16,+bf16,+i8mm,+dotprod" %s | FileCheck --check-prefix=NEON %s
// RUN: nnet3-opt --kernel-set-target="target=armv7-linux-gnueabihf cpu=cortex-a8" %s | FileCheck --check-prefix=ARMV7 %s
// RUN: nnet3-opt --kernel-set-target="target=armv7-linux-gnueabihf cpu=cortex-a15" %s | FileCheck --check-prefix=VFPV4 %s
// RUN: nnet3-opt --kernel-set-target="target=wasm32-unknown-unknown cpu=generic features=+simd128" %s | FileCheck --check-prefix=WASM %s
// RUN: nnet3-opt --kernel-set-target=instruction-sets=simd128 %s | FileCheck --check-prefix=WASM %s

// RUN: not nnet3-opt --kernel-set-target=cpu=z80 %s 2>&1 | FileCheck --check-prefix=CPU %s
// CPU: error: unknown CPU 'z80'
// RUN: not nnet3-opt --kernel-set-target=instruction-sets=neon,mmx %s 2>&1 | FileCheck --check-prefix=SET %s
// SET: error: unknown instruction set 'mmx'
// RUN: not nnet3-opt --kernel-set-target=instruction-sets=i8mm %s 2>&1 | FileCheck --check-prefix=VECTORS %s
// VECTORS: error: expects an instruction set with vectors

// V2: kernel.target = #kernel.target<vector_bits = 128, vector_registers = 14, fma = false, pair_products = "llvm.x86.sse2.pmadd.wd">}
// AVX: kernel.target = #kernel.target<vector_bits = 256, vector_registers = 14, fma = false>}
// ALDERLAKE: kernel.target = #kernel.target<vector_bits = 256, vector_registers = 16, dot_products = [#kernel.dot_product<elements = int8, group = 4, first_unsigned = true, intrinsic = "llvm.x86.avx512.vpdpbusd.256", feature = "avxvnni">, #kernel.dot_product<elements = int16, group = 2, intrinsic = "llvm.x86.avx512.vpdpwssd.256", feature = "avxvnni">], pair_products = "llvm.x86.avx2.pmadd.wd", converts_halves = true>}
// V4: kernel.target = #kernel.target<vector_bits = 512, vector_registers = 32, pair_products = "llvm.x86.avx512.pmaddw.d.512", converts_halves = true>}
// ZNVER4: kernel.target = #kernel.target<vector_bits = 512, vector_registers = 32, dot_products = [
// ZNVER4-SAME: feature = "avx512bf16"
// ZNVER4-SAME: elements = int8, group = 4, first_unsigned = true, intrinsic = "llvm.x86.avx512.vpdpbusd.512", feature = "avx512vnni"
// ZNVER4-SAME: elements = int16, group = 2, intrinsic = "llvm.x86.avx512.vpdpwssd.512", feature = "avx512vnni"
// NEON: kernel.target = #kernel.target<vector_bits = 128, vector_registers = 32, l2_bytes = 524288, dot_products = [
// NEON-SAME: intrinsic = "llvm.aarch64.neon.bfdot.v4f32.v8bf16"
// NEON-SAME: elements = int8, group = 4, first_unsigned = true, intrinsic = "llvm.aarch64.neon.usdot.v4i32.v16i8"
// NEON-SAME: elements = int8, group = 4, intrinsic = "llvm.aarch64.neon.sdot.v4i32.v16i8"
// NEON-SAME: row_lanes = 4, wide_products = true, converts_halves = true>
// SVE: kernel.target = #kernel.target<vector_bits = 128, vector_registers = 32, l2_bytes = 524288, dot_products = [
// SVE-SAME: intrinsic = "llvm.aarch64.sve.bfdot", feature = "svebf16"
// SVE-SAME: elements = int8, group = 4, first_unsigned = true, intrinsic = "llvm.aarch64.sve.usdot.nxv4i32", feature = "svei8mm"
// SVE-SAME: elements = int8, group = 4, intrinsic = "llvm.aarch64.sve.sdot.nxv4i32", feature = "sve"
// SVE-SAME: scalable_bits = 128, converts_halves = true>
// SVE2: elements = int8, group = 4, first_unsigned = true, takes_lane = true, intrinsic = "llvm.aarch64.sve.sudot.lane.nxv4i32", feature = "svei8mm"
// SVE2-SAME: row_lanes = 4, scalable_bits = 128, lane_intrinsics = <copy = "llvm.aarch64.sve.dupq.lane.nxv4f32", fma = "llvm.aarch64.sve.fmla.lane.nxv4f32">, converts_halves = true>
// RVV: kernel.target = #kernel.target<vector_bits = 128, vector_registers = 32, l2_bytes = 524288, scalable_bits = 64, wide_products = true>}
// WASM: kernel.target = #kernel.target<vector_bits = 128, vector_registers = 12, fma = false, l2_bytes = 524288, pair_products = "llvm.wasm.dot">}
// ARMV7: kernel.target = #kernel.target<vector_bits = 128, vector_registers = 14, fma = false, l2_bytes = 262144>}
// VFPV4: kernel.target = #kernel.target<vector_bits = 128, vector_registers = 14, l2_bytes = 524288, converts_halves = true>}
module {}
