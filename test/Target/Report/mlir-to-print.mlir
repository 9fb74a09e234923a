// RUN: nnet3-translate --mlir-to-print --symbol=run %s | FileCheck %s --match-full-lines --strict-whitespace
// RUN: nnet3-translate --mlir-to-print --symbol=chunk %s | FileCheck %s --match-full-lines --strict-whitespace --check-prefix=REQUEST

nnet3.network @net {
  nnet3.sigmoid @sigm {dim = 4}
  %in = nnet3.input_node "input" : !nnet3.rows<4>
  %h = nnet3.component_node "h" @sigm(%in) : (!nnet3.rows<4>) -> !nnet3.rows<4>
  nnet3.tdnn @affine {input_dim = 4, output_dim = 4, time_offsets = array<i64: 0>}
  %y = nnet3.component_node "y" @affine(%h) : (!nnet3.rows<4>) -> !nnet3.rows<4>
  nnet3.output_node "output", %y : !nnet3.rows<4>
}

//      REQUEST: # Computation request:
// REQUEST-NEXT:input-0: name=input, has-deriv=false, indexes=[(0,-1:3), (1,-1:3)]
// REQUEST-NEXT:output-0: name=output, has-deriv=true, indexes=[(0,0), (0,2:3,1)]
// REQUEST-NEXT:need-model-derivative: true
// REQUEST-NEXT:store-component-stats: false
nnet3.request @chunk for @net need_model_derivative {
  nnet3.request_input "input" <n = 0:1, t = -1:3>
  nnet3.request_output "output" <[(0, 0), (0, 2, 1), (0, 3, 1)]> deriv
}

//      CHECK:matrix m1(10, 4), m2(10, 4), m3(10, 4), m4(4, 2), m5(3, 4), m6(10, 4), m7(10, 4)
// CHECK-NEXT:# The following show how matrices correspond to network-nodes and
// CHECK-NEXT:# cindex-ids.  Format is: matrix = <node-id>.[value|deriv][ <list-of-cindex-ids> ]
// CHECK-NEXT:# where a cindex-id is written as (n,t[,x]) but ranges of t values are compressed
// CHECK-NEXT:# so we write (n, tfirst:tlast).
// CHECK-NEXT:m1 == value: input[(0,0:9)]
// CHECK-NEXT:m6 == deriv: output[(0,0), (1,0), (0,1), (1,1), (0,2), (1,2), (0,3), (1,3), (0,4), (1,4)]
// CHECK-NEXT:# begin forward commands
// CHECK-NEXT:c0: m1 = user input [for node: 'input']
// CHECK-NEXT:c1: [no-op-permanent]
// CHECK-NEXT:c2: m2 = undefined(10,4)
// CHECK-NEXT:c3: m2.set(0) [dim = 10 x 4];
// CHECK-NEXT:c4: m3 = undefined(10,4)
// CHECK-NEXT:c5: m3(2:5, 2:3).set(-0.25) [dim = 4 x 2];
// CHECK-NEXT:c6: m4 = undefined(4,2)
// CHECK-NEXT:c7: m4 = m3(2:5, 2:3)
// CHECK-NEXT:c8: m4 = 0.5 * m3(2:5, 2:3)
// CHECK-NEXT:c9: m2 += m1
// CHECK-NEXT:c10: m2 += -1 * m1
// CHECK-NEXT:c11: m2.CopyRows(1, m1[-1:8])
// CHECK-NEXT:c12: m2.AddRows(0.5, m1[-1x3, 3, 3, 4, 5, 5, 5, 6])
// CHECK-NEXT:c13: m4.CopyRowsMulti(1, [m3(3,2:3),m3(2,2:3),NULL,m3(5,2:3)])
// CHECK-NEXT:c14: m2.AddRowsMulti(1, [m1(0,:),m3(0,:),m1(1,:),NULL,NULL,NULL,NULL,NULL,NULL,NULL])
// CHECK-NEXT:c15: m4.CopyToRowsMulti(1, [m3(2,2:3),NULL,m3(3,2:3),NULL])
// CHECK-NEXT:c16: m4.AddToRowsMulti(2, [m3(2,2:3),NULL,m3(3,2:3),NULL])
// CHECK-NEXT:c17: m5 = undefined(3,4)
// CHECK-NEXT:c18: m5.AddRowRanges(1, m1, [0:2,3:9,null])
// CHECK-NEXT:c19: CompressMatrix(m3, 1, uint8, true)
// CHECK-NEXT:c20: sigm.Propagate(NULL, m2, &m2)
// CHECK-NEXT:c21: [no-op]
// CHECK-NEXT:c22: output m2 to user [for node: 'output']
// CHECK-NEXT:c23: # computation segment separator [e.g., begin backward commands]
// CHECK-NEXT:c24: m6 = user input [for node: 'output']
// CHECK-NEXT:c25: DecompressMatrix(m3)
// CHECK-NEXT:c26: sigm.Backprop(NULL, [], m2, m6, NULL, &m3)
// CHECK-NEXT:c27: affine.Backprop(precomputed_indexes[1], m1, [], m6, [component-pointer], NULL)
// CHECK-NEXT:c28: m7.swap(m3) [dim = 10 x 4]
// CHECK-NEXT:c29: m7.CopyRowsMulti(1, [m1(0,:),m6(0,:),m1(1,:),m6(1,:),m1(2,:),m6(2,:),m1(3,:),m6(3,:),m1(4,:),m6(4,:)])
// CHECK-NEXT:c30: m6 = []
// CHECK-NOT:{{.}}
nnet3.computation @run for @net {
  %1 = nnet3.accept_input "input" {nnet3.node = "input", nnet3.indexes = #nnet3.indexes<t = 0:9>} : memref<10x4xf32>
  nnet3.no_operation_permanent
  %2 = nnet3.alloc_matrix_zeroed : memref<10x4xf32>
  %3 = nnet3.alloc_matrix_undefined : memref<10x4xf32>
  %part = nnet3.sub_matrix %3[2, 2] : memref<10x4xf32> to memref<4x2xf32, strided<[4, 1], offset: 10>>
  nnet3.set_const %part, -2.500000e-01 : memref<4x2xf32, strided<[4, 1], offset: 10>>
  %4 = nnet3.alloc_matrix_undefined : memref<4x2xf32>
  nnet3.matrix_copy %part into %4 : memref<4x2xf32, strided<[4, 1], offset: 10>> into memref<4x2xf32>
  nnet3.matrix_copy %part into %4 alpha 5.000000e-01 : memref<4x2xf32, strided<[4, 1], offset: 10>> into memref<4x2xf32>
  nnet3.matrix_add %1 into %2 : memref<10x4xf32> into memref<10x4xf32>
  nnet3.matrix_add %1 into %2 alpha -1.000000e+00 : memref<10x4xf32> into memref<10x4xf32>
  nnet3.copy_rows %1 <_, 0:8> into %2 : memref<10x4xf32> into memref<10x4xf32>
  nnet3.add_rows %1 <3 x _, 3, 3, 4, 5, 5, 5, 6> into %2 alpha 5.000000e-01 : memref<10x4xf32> into memref<10x4xf32>
  nnet3.copy_rows_multi [%part] <1, 0, _, 3> into %4 : memref<4x2xf32, strided<[4, 1], offset: 10>> into memref<4x2xf32>
  nnet3.add_rows_multi [%1, %3] <0, 0 of 1, 1, 7 x _> into %2 : memref<10x4xf32>, memref<10x4xf32> into memref<10x4xf32>
  nnet3.copy_to_rows_multi %4 into [%part] <0, _, 1, _> : memref<4x2xf32> into memref<4x2xf32, strided<[4, 1], offset: 10>>
  nnet3.add_to_rows_multi %4 into [%part] <0, _, 1, _> alpha 2.000000e+00 : memref<4x2xf32> into memref<4x2xf32, strided<[4, 1], offset: 10>>
  %5 = nnet3.alloc_matrix_undefined : memref<3x4xf32>
  nnet3.add_row_ranges %1 begin <0, 3, _> end <3, 10, _> into %5 : memref<10x4xf32> into memref<3x4xf32>
  %c = nnet3.compress_matrix %3 range 1.000000e+00 truncate : memref<10x4xf32> -> !nnet3.compressed<10x4xui8>
  nnet3.propagate @net::@sigm ins(%2 : memref<10x4xf32>) outs(%2 : memref<10x4xf32>)
  nnet3.store_stats @net::@sigm outs(%2 : memref<10x4xf32>)
  nnet3.no_operation
  nnet3.provide_output "output", %2 : memref<10x4xf32>
  nnet3.no_operation_marker
  %6 = nnet3.accept_input "output" {nnet3.node = "output", nnet3.indexes = #nnet3.indexes<n = 0:1, t = 0:4, order = tn>, nnet3.is_deriv} : memref<10x4xf32>
  %d = nnet3.decompress_matrix %c : !nnet3.compressed<10x4xui8> -> memref<10x4xf32>
  nnet3.backprop @net::@sigm out_value(%2 : memref<10x4xf32>) out_deriv(%6 : memref<10x4xf32>) in_deriv(%d : memref<10x4xf32>)
  nnet3.backprop @net::@affine in_value(%1 : memref<10x4xf32>) out_deriv(%6 : memref<10x4xf32>) precomputed {row_offsets = array<i64: 0>, row_stride = 1} update
  %7 = nnet3.move_matrix %d : memref<10x4xf32>
  nnet3.copy_rows_multi [%1, %6] <[5 x +1](0, 0 of 1)> into %7 : memref<10x4xf32>, memref<10x4xf32> into memref<10x4xf32>
  nnet3.dealloc_matrix %6 : memref<10x4xf32>
}
