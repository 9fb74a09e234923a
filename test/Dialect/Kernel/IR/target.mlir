// RUN: nnet3-opt --verify-roundtrip %s | FileCheck %s
// RUN: nnet3-opt --verify-roundtrip --mlir-print-op-generic %s | FileCheck %s

// The defaults are not printed.
// CHECK: #kernel.target<vector_bits = 256, vector_registers = 16>
module attributes {kernel.target = #kernel.target<vector_bits = 256, vector_registers = 16, fma = true, l2_bytes = 1048576>} {
}

// CHECK: #kernel.target<vector_bits = 128, vector_registers = 32, fma = false, l2_bytes = 524288, dot_products = [#kernel.dot_product<elements = bf16, group = 2, intrinsic = "llvm.example.a", feature = "a">, #kernel.dot_product<elements = int8, group = 4, first_unsigned = true, intrinsic = "llvm.example.b", feature = "b">]>
module attributes {kernel.target = #kernel.target<vector_bits = 128, vector_registers = 32, fma = false, l2_bytes = 524288, dot_products = [#kernel.dot_product<elements = bf16, group = 2, intrinsic = "llvm.example.a", feature = "a">, #kernel.dot_product<elements = int8, group = 4, first_unsigned = true, intrinsic = "llvm.example.b", feature = "b">]>} {
}

// CHECK: #kernel.target<vector_bits = 128, vector_registers = 32, dot_products = [#kernel.dot_product<elements = int8, group = 4, takes_lane = true, intrinsic = "llvm.example.b", feature = "b">], row_lanes = 4, scalable_bits = 128, lane_intrinsics = <copy = "llvm.example.c", fma = "llvm.example.d">>
module attributes {kernel.target = #kernel.target<vector_bits = 128, vector_registers = 32, dot_products = [#kernel.dot_product<elements = int8, group = 4, takes_lane = true, intrinsic = "llvm.example.b", feature = "b">], row_lanes = 4, scalable_bits = 128, lane_intrinsics = <copy = "llvm.example.c", fma = "llvm.example.d">>} {
}

// CHECK: #kernel.target<vector_bits = 128, vector_registers = 32, scalable_bits = 64, wide_products = true>
module attributes {kernel.target = #kernel.target<vector_bits = 128, vector_registers = 32, scalable_bits = 64, wide_products = true>} {
}
