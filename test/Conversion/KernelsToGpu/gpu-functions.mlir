// RUN: nnet3-opt --convert-nnet3-to-kernels=device=true --kernel-infer-alignment --kernel-fuse-maps --kernel-outline --convert-kernel-to-threads --convert-nnet3-kernels-to-gpu %s | FileCheck %s
// RUN: nnet3-opt --convert-nnet3-to-kernels=device=true --kernel-infer-alignment --kernel-fuse-maps --kernel-outline --convert-kernel-to-threads --convert-nnet3-kernels-to-gpu --nnet3-gpu-to-nvvm %s | FileCheck --check-prefix=NVVM %s
// RUN: nnet3-opt --convert-nnet3-to-kernels=device=true --kernel-infer-alignment --kernel-fuse-maps --kernel-outline --convert-kernel-to-threads --convert-nnet3-kernels-to-gpu --nnet3-gpu-to-nvvm --nnet3-nvvm-to-ptx=chip=sm_90 %s | FileCheck --check-prefix=PTX %s

nnet3.network @net {
  %x = nnet3.input_node "x" : !nnet3.rows<300>
  nnet3.output_node "y", %x : !nnet3.rows<300>
  nnet3.affine @affine {input_dim = 300, output_dim = 300}
  nnet3.sigmoid @sigmoid {dim = 300}
  nnet3.softmax @softmax {dim = 300}
}

// CHECK: gpu.container_module
// CHECK: gpu.module @kernels
// 300 columns are two blocks of 160 threads for each row.
// CHECK: gpu.func @map_2
// CHECK-SAME: kernel attributes {known_block_size = array<i32: 160, 1, 1>}
// CHECK-DAG: gpu.block_id x
// CHECK-DAG: gpu.block_id y
// CHECK-DAG: gpu.thread_id x
// CHECK: scf.for
// CHECK: math.exp
// CHECK: gpu.return
// The threads of a block find the largest element and the sum together.
// CHECK: gpu.func @map_rows_4
// CHECK: scf.for {{.*}} iter_args
// CHECK: gpu.all_reduce maximumf
// CHECK: scf.for {{.*}} iter_args
// CHECK: gpu.all_reduce add
// CHECK: scf.for
// CHECK: memref.store
// CHECK: gpu.return

// NVVM: gpu.module @kernels
// NVVM: llvm.func @map_2(%{{.*}}: !llvm.ptr
// NVVM-SAME: nvvm.kernel
// NVVM: nvvm.read.ptx.sreg.ctaid.x
// NVVM: llvm.func @map_rows_4
// NVVM: nvvm.barrier0
// No device library is needed.
// NVVM-NOT: __nv_

// PTX: gpu.binary @kernels
// PTX-SAME: .target sm_90
// PTX-SAME: .visible .entry map_2
// PTX-SAME: .visible .entry map_rows_4
// PTX-SAME: bar.sync

// The product stays a call, for the device's library: without the bias and what
// follows it, or with the bias.
// CHECK-LABEL: func.func @f
// CHECK: call @matmul_0
// CHECK: call @matmul_1
// CHECK: gpu.launch_func @kernels::@map_2 blocks in (%c3{{[_0-9]*}}, %c2{{[_0-9]*}}, %c1{{[_0-9]*}}) threads in (%c160{{.*}}kernel.form = #kernel<form fused>
// CHECK: gpu.launch_func @kernels::@map_3 blocks in (%c3{{.*}}kernel.form = #kernel<form apart>
// CHECK: gpu.launch_func @kernels::@map_rows_4 blocks in (%c3
// CHECK-NEXT: return
nnet3.computation @f for @net {
  %a = nnet3.accept_input "x" : memref<3x300xf32>
  %b = nnet3.alloc_matrix_undefined : memref<3x300xf32>
  nnet3.fused_affine @net::@affine ins(%a : memref<3x300xf32>) rows [#nnet3.row_table<0:2>] columns [0] bias epilogue [@net::@sigmoid] outs(%b : memref<3x300xf32>)
  nnet3.dealloc_matrix %a : memref<3x300xf32>
  nnet3.propagate @net::@softmax ins(%b : memref<3x300xf32>) outs(%b : memref<3x300xf32>)
  nnet3.provide_output "y", %b : memref<3x300xf32>
}
