// RUN: nnet3-opt --convert-nnet3-to-kernels=device=true --kernel-infer-alignment --kernel-fuse-maps --kernel-outline --convert-kernel-to-threads %s | FileCheck %s
// RUN: nnet3-opt --convert-nnet3-to-kernels=device=true --kernel-infer-alignment --kernel-fuse-maps --kernel-outline --convert-kernel-to-threads --convert-nnet3-kernels-to-gpu %s | FileCheck %s --check-prefix=GPU

nnet3.network @net {
  %x = nnet3.input_node "x" : !nnet3.rows<7>
  nnet3.output_node "y", %x : !nnet3.rows<7>
  %w = nnet3.input_node "w" : !nnet3.rows<33>
  nnet3.output_node "z", %w : !nnet3.rows<33>
  %v = nnet3.input_node "v" : !nnet3.rows<8>
  nnet3.output_node "u", %v : !nnet3.rows<8>
  %d = nnet3.input_node "d" : !nnet3.rows<8>
  nnet3.rectified_linear @relu {dim = 8}
  nnet3.no_op @noop {dim = 8}
  nnet3.no_op @scale {dim = 8, backprop_scale = 5.000000e-01 : f32}
}

// What is written where the matrix was lies beside the integers, which take 16
// of the 64 floats that it took: 63 elements are 16 groups of four.
// CHECK: kernel.entry @signs arena 80
// CHECK-LABEL: func.func @signs
// CHECK-DAG: %[[INTEGERS:.*]] = arith.constant 64 : index
// CHECK-DAG: %[[MATRIX:.*]] = arith.constant 0 : index
// CHECK: call @[[COMPRESS:map_[0-9]+]]({{.*}}, %[[MATRIX]], %[[INTEGERS]])
// CHECK: %[[BETWEEN:.*]] = arith.constant 0 : index
// CHECK: call @map_{{[0-9]+}}({{.*}}, %[[BETWEEN]])
// CHECK-DAG: %[[MATRIX:.*]] = arith.constant 0 : index
// CHECK-DAG: %[[INTEGERS:.*]] = arith.constant 64 : index
// CHECK: call @[[DECOMPRESS:map_[0-9]+]]({{.*}}, %[[INTEGERS]], %[[MATRIX]])
// CHECK-NEXT: return
nnet3.computation @signs for @net {
  %x = nnet3.accept_input "x" : memref<9x7xf32>
  %c = nnet3.compress_matrix %x range 0.000000e+00 truncate : memref<9x7xf32> -> !nnet3.compressed<9x7xui8>
  %between = nnet3.alloc_matrix_undefined : memref<9x7xf32>
  nnet3.set_const %between, 1.0 : memref<9x7xf32>
  nnet3.dealloc_matrix %between : memref<9x7xf32>
  %y = nnet3.decompress_matrix %c : !nnet3.compressed<9x7xui8> -> memref<9x7xf32>
  nnet3.provide_output "y", %y : memref<9x7xf32>
}

// 4224 elements are 5 blocks of threads; half of the room is for integers.
// CHECK: kernel.entry @numbers arena 6336
// CHECK-LABEL: func.func @numbers
// CHECK: call @[[COMPRESS16:map_[0-9]+]](
// CHECK: call @[[DECOMPRESS16:map_[0-9]+]](
nnet3.computation @numbers for @net {
  %x = nnet3.accept_input "w" : memref<128x33xf32>
  %c = nnet3.compress_matrix %x range 1.000000e+01 truncate : memref<128x33xf32> -> !nnet3.compressed<128x33xsi16>
  %y = nnet3.decompress_matrix %c : !nnet3.compressed<128x33xsi16> -> memref<128x33xf32>
  nnet3.provide_output "z", %y : memref<128x33xf32>
}

// Rows of a multiple of four columns are blocks of threads, whose code does not
// depend on the number of rows.
// CHECK-LABEL: func.func @rows
// CHECK: call @[[ROWS:map_[0-9]+]](
nnet3.computation @rows for @net {
  %x = nnet3.accept_input "v" : memref<5x8xf32>
  %c = nnet3.compress_matrix %x range 0.000000e+00 truncate : memref<5x8xf32> -> !nnet3.compressed<5x8xui8>
  %y = nnet3.decompress_matrix %c : !nnet3.compressed<5x8xui8> -> memref<5x8xf32>
  nnet3.provide_output "u", %y : memref<5x8xf32>
}

// The backward pass reads the integers, whose memory is not that of the
// result. In place, a component that passes derivatives on does nothing.
// CHECK-LABEL: func.func @backward
// CHECK-NEXT: arith.constant [[#C:]] : index
// CHECK-NEXT: arith.constant [[#]] : index
// CHECK-NEXT: call @map
// CHECK-NEXT: arith.constant [[#DY:]] : index
// CHECK-NEXT: arith.constant [[#DY]] : index
// CHECK-NEXT: call @map_rows
// CHECK: call @stage
// CHECK: call @stage
// CHECK-NEXT: arith.constant [[#C]] : index
// CHECK-NEXT: arith.constant [[#DY]] : index
// CHECK-NEXT: arith.constant [[#C+16]] : index
// CHECK-NEXT: call @[[FROM_SIGNS:map_[0-9]+]]
// CHECK-NEXT: return
nnet3.computation @backward for @net {
  %y = nnet3.accept_input "v" : memref<5x8xf32>
  %dy = nnet3.accept_input "d" : memref<5x8xf32>
  %c = nnet3.compress_matrix %y range 0.000000e+00 truncate : memref<5x8xf32> -> !nnet3.compressed<5x8xui8>
  nnet3.backprop @net::@noop out_deriv(%dy : memref<5x8xf32>) in_deriv(%dy : memref<5x8xf32>)
  nnet3.backprop @net::@scale out_deriv(%dy : memref<5x8xf32>) in_deriv(%dy : memref<5x8xf32>)
  %s = nnet3.decompress_matrix %c : !nnet3.compressed<5x8xui8> -> memref<5x8xf32>
  %dx = nnet3.alloc_matrix_undefined : memref<5x8xf32>
  nnet3.backprop @net::@relu out_value(%s : memref<5x8xf32>) out_deriv(%dy : memref<5x8xf32>) in_deriv(%dx : memref<5x8xf32>) draw 0
  nnet3.dealloc_matrix %s : memref<5x8xf32>
  nnet3.provide_output "d", %dx : memref<5x8xf32>
}

// A thread has four elements and writes the word of their integers.
// CHECK: func.func private @[[COMPRESS]](%[[ARENA:[^:]*]]: memref<{{.*}}, %{{[^:,]*}}: index, %{{[^:,]*}}: index)
// CHECK-SAME: kernel.block = #kernel.block<threads = 32
// CHECK: scf.parallel (%{{.*}}) = {{.*}} to (%c16{{[_0-9]*}})
// CHECK: %[[X:.*]] = vector.load %[[ARENA]]{{.*}} {alignment = 16 : i64} : {{.*}}, vector<4xf32>
// CHECK: %[[SIGNS:.*]] = arith.cmpf ogt, %[[X]], %{{.*}} : vector<4xf32>
// CHECK: %[[BYTES:.*]] = arith.extui %[[SIGNS]] : vector<4xi1> to vector<4xi8>
// CHECK: %[[WORD:.*]] = vector.bitcast %[[BYTES]] : vector<4xi8> to vector<1xf32>
// CHECK: vector.store %[[WORD]], %[[ARENA]]
// CHECK: func.func private @[[DECOMPRESS]]
// CHECK: %[[BYTES:.*]] = vector.bitcast %{{.*}} : vector<1xf32> to vector<4xi8>
// CHECK: %[[SIGNS:.*]] = arith.uitofp %[[BYTES]] : vector<4xi8> to vector<4xf32>
// CHECK-NOT: arith.mulf
// CHECK: vector.store %[[SIGNS]]

// Ties are rounded to even numbers. What is not a number is the least one.
// CHECK: func.func private @[[COMPRESS16]]
// CHECK: scf.parallel {{.*}} to (%c1{{[_0-9]*}}, %c5{{[_0-9]*}})
// CHECK: %[[SCALED:.*]] = arith.mulf %{{.*}}, %{{.*}} : vector<4xf32>
// CHECK: %[[ISABOVE:.*]] = arith.cmpf ogt, %[[SCALED]], %[[LEAST:.*]] : vector<4xf32>
// CHECK: %[[ATLEAST:.*]] = arith.select %[[ISABOVE]], %[[SCALED]], %[[LEAST]]
// CHECK: %[[ISABOVE:.*]] = arith.cmpf ogt, %[[ATLEAST]], %[[LARGEST:.*]] : vector<4xf32>
// CHECK: %[[CLIPPED:.*]] = arith.select %[[ISABOVE]], %[[LARGEST]], %[[ATLEAST]]
// CHECK: %[[ROUNDED:.*]] = math.roundeven %[[CLIPPED]]
// CHECK: %[[INTEGERS:.*]] = arith.fptosi %[[ROUNDED]] : vector<4xf32> to vector<4xi16>
// CHECK: vector.bitcast %[[INTEGERS]] : vector<4xi16> to vector<2xf32>
// CHECK: func.func private @[[DECOMPRESS16]]
// CHECK: %[[INTEGERS:.*]] = vector.bitcast %{{.*}} : vector<2xf32> to vector<4xi16>
// CHECK: %[[NUMBERS:.*]] = arith.sitofp %[[INTEGERS]]
// CHECK: arith.mulf %[[NUMBERS]]

// CHECK: func.func private @[[ROWS]]
// CHECK: scf.parallel {{.*}} to (%c5{{[_0-9]*}}, %c1{{[_0-9]*}})
// CHECK: scf.parallel {{.*}} to (%c2{{[_0-9]*}})

// CHECK: func.func private @[[FROM_SIGNS]]
// CHECK: %[[BYTES:.*]] = vector.bitcast %{{.*}} : vector<1xf32> to vector<4xi8>
// CHECK: %[[SIGNS:.*]] = arith.uitofp %[[BYTES]] : vector<4xi8> to vector<4xf32>
// CHECK: %[[ACTIVE:.*]] = arith.cmpf ogt, %[[SIGNS]], %{{.*}} : vector<4xf32>
// CHECK: arith.select %[[ACTIVE]]

// GPU: gpu.func @map_0
// GPU: gpu.block_id x
// GPU: vector.store {{.*}} vector<1xf32>
// GPU-NOT: gpu.barrier
// GPU: gpu.return
