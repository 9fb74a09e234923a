// RUN: nnet3-opt --kernel-set-target=instruction-sets=avx512f,avx512bf16 --convert-nnet3-to-kernels=precision=bf16 --kernel-outline --convert-kernel-to-vector %s | FileCheck --check-prefixes=CHECK,BF16 %s
// RUN: nnet3-opt --kernel-set-target=instruction-sets=avx512f,avx512vnni --convert-nnet3-to-kernels=precision=int8 --kernel-outline --convert-kernel-to-vector %s | FileCheck --check-prefixes=CHECK,INT8 %s
// RUN: nnet3-opt --kernel-set-target=instruction-sets=avx512f,avx512vnni --convert-nnet3-to-kernels=precision=int16 --kernel-outline --convert-kernel-to-vector %s | FileCheck --check-prefixes=CHECK,INT16 %s
// RUN: nnet3-opt --kernel-set-target=instruction-sets=avx2 --convert-nnet3-to-kernels=precision=int16 --kernel-outline --convert-kernel-to-vector %s | FileCheck --check-prefix=PAIRS %s
// RUN: nnet3-opt --kernel-set-target=instruction-sets=avx2 --convert-nnet3-to-kernels=precision=int16 --kernel-outline %s | sed 's/, pair_products = "[^"]*"//' | nnet3-opt --convert-kernel-to-vector | FileCheck --check-prefix=WORDS %s
// RUN: nnet3-opt --kernel-set-target=instruction-sets=neon --convert-nnet3-to-kernels=precision=int16 %s | FileCheck --check-prefix=NO-INT16 %s
// RUN: nnet3-opt --kernel-set-target=instruction-sets=avx512f --convert-nnet3-to-kernels=precision=bf16 --kernel-outline --convert-kernel-to-vector %s | FileCheck --check-prefix=PLAIN %s
// RUN: nnet3-opt --kernel-set-target=instruction-sets=avx512f --convert-nnet3-to-kernels=precision=int8 --kernel-outline --convert-kernel-to-vector %s | FileCheck --check-prefix=PLAIN %s
// RUN: nnet3-opt --kernel-set-target=instruction-sets=avx512f,avx512bf16 --convert-nnet3-to-kernels=precision=bf16 --kernel-outline --convert-kernel-to-vector --nnet3-kernels-to-llvm %s | FileCheck --check-prefix=LLVM-BF16 %s
// RUN: nnet3-opt --kernel-set-target=instruction-sets=avx512f,avx512vnni --convert-nnet3-to-kernels=precision=int8 --kernel-outline --convert-kernel-to-vector --nnet3-kernels-to-llvm %s | FileCheck --check-prefix=LLVM-INT8 %s

nnet3.network @net {
  %x = nnet3.input_node "x" : !nnet3.rows<20>
  %o = nnet3.input_node "o" : !nnet3.rows<21>
  nnet3.output_node "y", %x : !nnet3.rows<20>
  nnet3.affine @affine {input_dim = 40, output_dim = 16}
  nnet3.affine @odd {input_dim = 42, output_dim = 16}
  nnet3.affine @narrow {input_dim = 40, output_dim = 15}
}

// All weights of @affine in order; those of @odd with each input's at a word.
// What is too narrow stays f32.
// PLAIN-NOT: dot_product
// CHECK: kernel.resources
// BF16-SAME: <component = @net::@affine, part = panels, offset = 0, number = 16, precision = bf16, columns = [0, 40]>
// INT8-SAME: <component = @net::@affine, part = panels, offset = 0, number = 16, precision = int8, columns = [0, 40]>
// INT8-SAME: <component = @net::@affine, part = scales, offset = {{[0-9]+}}, precision = int8>
// INT8-SAME: <component = @net::@affine, part = sums, offset = {{[0-9]+}}, precision = int8, columns = [0, 20, 20, 20]>
// INT16-SAME: <component = @net::@affine, part = panels, offset = 0, number = 16, precision = int16, columns = [0, 40]>
// INT16-SAME: <component = @net::@affine, part = scales, offset = {{[0-9]+}}, precision = int16>
// INT16-SAME: <component = @net::@affine, part = sums, offset = {{[0-9]+}}, precision = int16, columns = [0, 20, 20, 20]>
// CHECK-SAME: <component = @net::@odd, part = panels, {{.*}}columns = [0, 21, 21, 21]>
// CHECK-SAME: <component = @net::@narrow, part = panels, offset = {{[0-9]+}}, number = 16>
// BF16-SAME: precision bf16
// INT8-SAME: precision int8
// INT16-SAME: precision int16
// Without an instruction for integers of 16 bits, weights are fp16.
// NO-INT16: part = panels, {{.*}}precision = fp16

nnet3.computation @products for @net {
  %a = nnet3.accept_input "x" : memref<2x20xf32>
  %b = nnet3.accept_input "o" : memref<2x21xf32>
  %c = nnet3.alloc_matrix_undefined : memref<2x16xf32>
  %d = nnet3.alloc_matrix_undefined : memref<2x15xf32>
  nnet3.fused_affine @net::@affine ins(%a, %a : memref<2x20xf32>, memref<2x20xf32>) rows [#nnet3.row_table<0:1>, #nnet3.row_table<0:1>] columns [0, 20] outs(%c : memref<2x16xf32>)
  nnet3.fused_affine @net::@odd ins(%b, %b : memref<2x21xf32>, memref<2x21xf32>) rows [#nnet3.row_table<0:1>, #nnet3.row_table<0:1>] columns [0, 21] outs(%c : memref<2x16xf32>)
  nnet3.fused_affine @net::@narrow ins(%a, %a : memref<2x20xf32>, memref<2x20xf32>) rows [#nnet3.row_table<0:1>, #nnet3.row_table<0:1>] columns [0, 20] outs(%d : memref<2x15xf32>)
  nnet3.dealloc_matrix %c : memref<2x16xf32>
  nnet3.dealloc_matrix %b : memref<2x21xf32>
  nnet3.dealloc_matrix %d : memref<2x15xf32>
  nnet3.provide_output "y", %a : memref<2x20xf32>
}

// Rows are converted before the products; what does not fill a vector as
// integers.
// CHECK-LABEL: func.func private @gemm_0
// PLAIN-LABEL: func.func private @gemm_0
// BF16: arith.truncf {{.*}} vector<16xf32> to vector<16xbf16>
// BF16-NOT: arith.truncf
// BF16: arith.trunci {{.*}} vector<16xi32> to vector<16xi16>
// BF16: llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"
// BF16-NOT: arith.sitofp
// INT8: vector.reduction <maxnumf>
// INT8: arith.trunci {{.*}} vector<16xi32> to vector<16xi8>
// INT8: llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"
// INT8: arith.sitofp
// INT16: vector.reduction <maxnumf>
// INT16: arith.trunci {{.*}} vector<16xi32> to vector<16xi16>
// INT16: llvm.call_intrinsic "llvm.x86.avx512.vpdpwssd.512"
// INT16: arith.sitofp
// PAIRS: llvm.call_intrinsic "llvm.x86.avx2.pmadd.wd"{{.*}} (vector<16xi16>, vector<16xi16>) -> vector<8xi32>
// PAIRS-NEXT: arith.addi
// WORDS-NOT: call_intrinsic
// WORDS: arith.shrsi {{.*}} vector<8xi32>
// WORDS: arith.muli {{.*}} vector<8xi32>
// PLAIN-NOT: call_intrinsic
// CHECK: vector.store {{.*}} vector<16xf32>

// CHECK-LABEL: func.func private @gemm_2
// CHECK-NOT: call_intrinsic
// CHECK: vector.fma

// LLVM-BF16: llvm.fptrunc {{.*}} vector<16xf32> to vector<16xbf16>
// LLVM-BF16: llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"({{.*}}) : (vector<16xf32>, vector<32xbf16>, vector<32xbf16>) -> vector<16xf32>
// LLVM-INT8: llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.512"({{.*}}) : (vector<16xi32>, vector<64xi8>, vector<64xi8>) -> vector<16xi32>
