// RUN: nnet3-opt --pass-pipeline="builtin.module(nnet3.computation(nnet3-expand-composites))" %s | FileCheck %s
// RUN: nnet3-opt --pass-pipeline="builtin.module(nnet3.computation(nnet3-expand-composites{device=true}))" %s | FileCheck %s --check-prefix=DEVICE

nnet3.network @net {
  %x = nnet3.input_node "x" : !nnet3.rows<4>
  nnet3.output_node "y", %x : !nnet3.rows<4>
  nnet3.composite @layer {
    nnet3.tanh @component1 {dim = 4}
    nnet3.affine @component2 {input_dim = 4, output_dim = 6}
    nnet3.affine @component3 {input_dim = 6, output_dim = 4}
    nnet3.rectified_linear @component4 {dim = 4}
  }
  nnet3.composite @adding {
    nnet3.sum_block @component1 {input_dim = 4, output_dim = 4}
    nnet3.rectified_linear @component2 {dim = 4}
    nnet3.sum_block @component3 {input_dim = 4, output_dim = 4}
  }
  nnet3.composite @sorted {
    nnet3.batch_norm @component1 {dim = 4}
    nnet3.tanh @component2 {dim = 4}
  }
  nnet3.composite @called {
    nnet3.batch_norm @component1 {dim = 4}
  }
}

// The last part works in place: the one before it writes the output. The input
// stays as it is.
// CHECK-LABEL: nnet3.computation @parts
// CHECK: %[[A:.*]] = nnet3.accept_input
// CHECK: %[[B:.*]] = nnet3.alloc_matrix_undefined : memref<3x4xf32>
// CHECK-DAG: %[[T:.*]] = nnet3.alloc_matrix_undefined : memref<3x4xf32>
// CHECK-DAG: %[[U:.*]] = nnet3.alloc_matrix_undefined : memref<3x6xf32>
// CHECK: nnet3.propagate @net::@layer::@component1 ins(%[[A]]{{.*}}outs(%[[T]]
// CHECK: nnet3.propagate @net::@layer::@component2 ins(%[[T]]{{.*}}outs(%[[U]]
// CHECK: nnet3.dealloc_matrix %[[T]]
// CHECK: nnet3.propagate @net::@layer::@component3 ins(%[[U]]{{.*}}outs(%[[B]]
// CHECK: nnet3.dealloc_matrix %[[U]]
// CHECK: nnet3.propagate @net::@layer::@component4 ins(%[[B]]{{.*}}outs(%[[B]]
// CHECK: nnet3.dealloc_matrix %[[A]]
nnet3.computation @parts for @net {
  %a = nnet3.accept_input "x" : memref<3x4xf32>
  %b = nnet3.alloc_matrix_undefined : memref<3x4xf32>
  nnet3.propagate @net::@layer ins(%a : memref<3x4xf32>) outs(%b : memref<3x4xf32>)
  nnet3.dealloc_matrix %a : memref<3x4xf32>
  nnet3.provide_output "y", %b : memref<3x4xf32>
}

// What a part adds to is zero; but the last part adds where the whole does.
// CHECK-LABEL: nnet3.computation @adds
// CHECK: nnet3.set_const %[[C:.*]], 0.0
// CHECK: nnet3.propagate @net::@adding::@component1 {{.*}} outs(%[[C]]
// CHECK-NOT: nnet3.set_const
// CHECK: nnet3.propagate @net::@adding::@component3
nnet3.computation @adds for @net {
  %a = nnet3.accept_input "x" : memref<3x4xf32>
  %b = nnet3.alloc_matrix_zeroed : memref<3x4xf32>
  nnet3.propagate @net::@adding ins(%a : memref<3x4xf32>) outs(%b : memref<3x4xf32>)
  nnet3.dealloc_matrix %a : memref<3x4xf32>
  nnet3.provide_output "y", %b : memref<3x4xf32>
}

// Batch norm in training mode has code for devices alone. On CPUs a component
// stays whole if no part of it has code.
// CHECK-LABEL: nnet3.computation @some
// CHECK: nnet3.propagate @net::@sorted::@component1
// CHECK: nnet3.propagate @net::@sorted::@component2
// CHECK-LABEL: nnet3.computation @none
// CHECK: nnet3.propagate @net::@called ins
// DEVICE-LABEL: nnet3.computation @some
// DEVICE: nnet3.propagate @net::@sorted::@component1
// DEVICE: nnet3.propagate @net::@sorted::@component2
// DEVICE-LABEL: nnet3.computation @none
// DEVICE: nnet3.propagate @net::@called::@component1
nnet3.computation @some for @net {
  %a = nnet3.accept_input "x" : memref<3x4xf32>
  %b = nnet3.alloc_matrix_undefined : memref<3x4xf32>
  nnet3.propagate @net::@sorted ins(%a : memref<3x4xf32>) outs(%b : memref<3x4xf32>)
  nnet3.dealloc_matrix %a : memref<3x4xf32>
  nnet3.provide_output "y", %b : memref<3x4xf32>
}
nnet3.computation @none for @net {
  %a = nnet3.accept_input "x" : memref<3x4xf32>
  %b = nnet3.alloc_matrix_undefined : memref<3x4xf32>
  nnet3.propagate @net::@called ins(%a : memref<3x4xf32>) outs(%b : memref<3x4xf32>)
  nnet3.dealloc_matrix %a : memref<3x4xf32>
  nnet3.provide_output "y", %b : memref<3x4xf32>
}
