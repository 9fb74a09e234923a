// RUN: nnet3-opt --kernel-set-target=instruction-sets=neon --convert-nnet3-to-kernels --kernel-outline --convert-kernel-to-vector %s | FileCheck %s

nnet3.network @net {
  %x = nnet3.input_node "x" : !nnet3.rows<22>
  nnet3.output_node "y", %x : !nnet3.rows<22>
  nnet3.softmax @softmax {dim = 22}
  nnet3.normalize @normalize {block_dim = 11, input_dim = 22}
}

// CHECK: calls []
// CHECK-LABEL: func.func @rows
// CHECK: call @[[SOFTMAX:map_rows_[0-9]+]]
// CHECK: call @[[NORMALIZE:map_rows_[0-9]+]]
nnet3.computation @rows for @net {
  %a = nnet3.accept_input "x" : memref<3x22xf32>
  nnet3.propagate @net::@softmax ins(%a : memref<3x22xf32>) outs(%a : memref<3x22xf32>)
  nnet3.propagate @net::@normalize ins(%a : memref<3x22xf32>) outs(%a : memref<3x22xf32>)
  nnet3.provide_output "y", %a : memref<3x22xf32>
}

// The largest of 16, 4 and 2 columns; then powers, which are stored, and their
// sum in f64, four vectors in f32 before.
// CHECK: func.func private @[[SOFTMAX]]
// CHECK: arith.cmpf ogt, {{.*}} : vector<16xf32>
// CHECK: arith.cmpf ogt, {{.*}} : vector<4xf32>
// CHECK: arith.cmpf ogt, {{.*}} : vector<2xf32>
// CHECK-COUNT-3: vector.reduction <maxnumf>
// CHECK: math.exp {{.*}} : vector<16xf32>
// CHECK: vector.store
// CHECK-COUNT-3: arith.addf {{.*}} : vector<4xf32>
// CHECK-NEXT: arith.extf {{.*}} : vector<4xf32> to vector<4xf64>
// CHECK: vector.extract_strided_slice {{.*}} vector<4xf64> to vector<2xf64>
// CHECK: arith.addf {{.*}} : vector<2xf64>
// CHECK: arith.addf {{.*}} : vector<1xf64>
// CHECK: arith.truncf {{.*}} : f64 to f32

// Block after block, and the rows of each.
// CHECK: func.func private @[[NORMALIZE]]
// CHECK: scf.for {{.*}} to %c2
// CHECK: scf.for {{.*}} to %c3
// CHECK: math.sqrt
