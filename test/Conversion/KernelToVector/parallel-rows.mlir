// RUN: nnet3-opt --kernel-set-target=instruction-sets=sse2 --convert-nnet3-to-kernels="parallel-flops=1000" --kernel-outline --convert-kernel-to-vector %s | FileCheck %s
// RUN: nnet3-opt --kernel-set-target=instruction-sets=sse2 --convert-nnet3-to-kernels="parallel-flops=1000" --kernel-outline --convert-kernel-to-vector --nnet3-kernels-to-llvm %s | FileCheck --check-prefix=LLVM %s

nnet3.network @net {
  %x = nnet3.input_node "x" : !nnet3.rows<4>
  nnet3.output_node "y", %x : !nnet3.rows<4>
  nnet3.linear @linear {input_dim = 4, output_dim = 4}
}

// CHECK: func.func private @nnet3lib_parallel_rows(memref<{{.*}}xf32>, memref<{{.*}}xf32>, memref<{{.*}}xi32>, !llvm.ptr, memref<3xindex>, index, (memref

// CHECK-LABEL: func.func @products
nnet3.computation @products for @net {
  // CHECK: call @gemm_0
  // CHECK-NEXT: {{constant}}
  // CHECK: call @gemm_1
  // CHECK-NEXT: return
  %a = nnet3.accept_input "x" : memref<41x4xf32>
  %b = nnet3.alloc_matrix_undefined : memref<41x4xf32>
  %c = nnet3.alloc_matrix_undefined : memref<12x4xf32>
  nnet3.fused_affine @net::@linear ins(%a : memref<41x4xf32>) rows [#nnet3.row_table<0:40>] columns [0] outs(%b : memref<41x4xf32>)
  nnet3.fused_affine @net::@linear ins(%a : memref<41x4xf32>) rows [#nnet3.row_table<0:11>] columns [0] outs(%c : memref<12x4xf32>)
  nnet3.dealloc_matrix %b : memref<41x4xf32>
  nnet3.dealloc_matrix %c : memref<12x4xf32>
  nnet3.provide_output "y", %a : memref<41x4xf32>
}

// 41 rows: three tiles of eleven rows, and eight rows behind the last tile.
// CHECK-LABEL: func.func private @gemm_0_rows
// CHECK-SAME: %arg4: memref<3xindex>, %arg5: index, %arg6: index
// CHECK: %[[END:.*]] = arith.muli %arg6, %{{.*}} overflow<nsw>
// CHECK: scf.for
// CHECK: vector.fma
// CHECK: %[[IS_LAST:.*]] = arith.cmpi eq, %[[END]], %{{.*}} : index
// CHECK-NEXT: scf.if %[[IS_LAST]]
// CHECK: return

// CHECK-LABEL: func.func private @gemm_0(
// CHECK: memref.alloca() : memref<3xindex>
// CHECK-COUNT-3: memref.store
// CHECK: %[[COUNT:.*]] = arith.constant 3 : index
// CHECK: %[[ROWS:.*]] = {{.*}}constant @gemm_0_rows
// CHECK: call @nnet3lib_parallel_rows({{.*}}, %[[COUNT]], %[[ROWS]])

// A product of 12 x 4 x 4 has fewer than 1000 operations.
// CHECK-LABEL: func.func private @gemm_1(
// CHECK-NOT: parallel_rows
// CHECK: return

// LLVM: llvm.func @nnet3lib_parallel_rows(!llvm.ptr, !llvm.ptr, !llvm.ptr, !llvm.ptr, !llvm.ptr, i64, !llvm.ptr)
// LLVM: llvm.mlir.addressof @gemm_0_rows
