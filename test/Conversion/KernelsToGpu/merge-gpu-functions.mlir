// RUN: nnet3-opt --convert-nnet3-to-kernels=device=true --kernel-infer-alignment --kernel-fuse-maps --kernel-outline --convert-kernel-to-threads --convert-nnet3-kernels-to-gpu --canonicalize --cse --nnet3-merge-gpu-functions %s | FileCheck %s
// RUN: nnet3-opt --convert-nnet3-to-kernels=device=true --kernel-infer-alignment --kernel-fuse-maps --kernel-outline --convert-kernel-to-threads --convert-nnet3-kernels-to-gpu --nnet3-gpu-to-nvvm %s | FileCheck --check-prefix=NVVM %s

nnet3.network @net {
  %x = nnet3.input_node "x" : !nnet3.rows<300>
  nnet3.output_node "y", %x : !nnet3.rows<300>
  nnet3.softmax @first {dim = 300}
  nnet3.softmax @second {dim = 300}
  nnet3.log_softmax @other {dim = 300}
}

// Two requests and two components, of one kind: the code differs in how many
// rows there are, which are blocks of threads.
// CHECK: gpu.module @kernels
// CHECK: gpu.func @[[SOFTMAX:.*]](
// CHECK: math.exp
// CHECK: gpu.func @[[OTHER:.*]](
// CHECK-NOT: gpu.func
// CHECK-LABEL: func.func @three
// CHECK: gpu.launch_func @kernels::@[[SOFTMAX]] blocks in (%c3, %c1, %c1)
// CHECK: gpu.launch_func @kernels::@[[SOFTMAX]] blocks in (%c3, %c1, %c1)
// CHECK: gpu.launch_func @kernels::@[[OTHER]] blocks in (%c3, %c1, %c1)
// CHECK-LABEL: func.func @five
// CHECK: gpu.launch_func @kernels::@[[SOFTMAX]] blocks in (%c5, %c1, %c1)

// NVVM-COUNT-2: nvvm.kernel
// NVVM-NOT: nvvm.kernel
nnet3.computation @three for @net {
  %x = nnet3.accept_input "x" : memref<3x300xf32>
  nnet3.propagate @net::@first ins(%x : memref<3x300xf32>) outs(%x : memref<3x300xf32>)
  nnet3.propagate @net::@second ins(%x : memref<3x300xf32>) outs(%x : memref<3x300xf32>)
  %y = nnet3.alloc_matrix_undefined : memref<3x300xf32>
  nnet3.propagate @net::@other ins(%x : memref<3x300xf32>) outs(%y : memref<3x300xf32>)
  nnet3.provide_output "y", %y : memref<3x300xf32>
}

nnet3.computation @five for @net {
  %x = nnet3.accept_input "x" : memref<5x300xf32>
  nnet3.propagate @net::@second ins(%x : memref<5x300xf32>) outs(%x : memref<5x300xf32>)
  nnet3.provide_output "y", %x : memref<5x300xf32>
}
