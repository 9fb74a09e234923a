// RUN: nnet3-translate --mlir-to-print %s | FileCheck %s --match-full-lines --strict-whitespace

// What has more than 200 characters keeps the first and the last 100: of a
// command with its number and the end of the line, of rows with the brackets.

nnet3.network @net {
  %in = nnet3.input_node "input" : !nnet3.rows<4>
  nnet3.output_node "output", %in : !nnet3.rows<4>
}

// CHECK:input-0: name=input, has-deriv=false, indexes=[(0,0), (0,2), (0,4), (0,6), (0,8), (0,10), (0,12), (0,14), (0,16), (0,18), (0,20), (0,22), (0,24),  ... 42), (0,44), (0,46), (0,48), (0,50), (0,52), (0,54), (0,56), (0,58), (0,60), (0,62), (0,64), (0,66)]
nnet3.request @chunk for @net {
  nnet3.request_input "input" <t = 0:66:2>
  nnet3.request_output "output" <t = 0:66:2>
}

// CHECK:c2: m2.CopyRows(1, m1[0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30, 32, 34, 36, 38, 40, ... 0, 82, 84, 86, 88, 90, 92, 94, 96, 98, 100, 102, 104, 106, 108, 110, 112, 114, 116, 118, 120, 122])
nnet3.computation @run for @net {
  %1 = nnet3.accept_input "input" : memref<124x4xf32>
  %2 = nnet3.alloc_matrix_undefined : memref<62x4xf32>
  nnet3.copy_rows %1 <0:122:2> into %2 : memref<124x4xf32> into memref<62x4xf32>
}
