// RUN: nnet3-opt --convert-kernel-to-vector %s | FileCheck %s

module attributes {kernel.target = #kernel.target<vector_bits = 128, vector_registers = 16>} {
  // Rows are copied in groups of eight, each to one panel after the other; what
  // is left of the last panel becomes zero.
  // CHECK-LABEL: func @copy
  // CHECK: scf.for
  // CHECK-COUNT-24: vector.store %{{.*}} : memref<1024xf32>, vector<4xf32>
  // CHECK: arith.constant dense<0.000000e+00> : vector<4xf32>
  func.func @copy(%arena: memref<1024xf32>) {
    %c0 = arith.constant 0 : index
    %c512 = arith.constant 512 : index
    %x = memref.reinterpret_cast %arena to offset: [%c0], sizes: [16, 12], strides: [12, 1] : memref<1024xf32> to memref<16x12xf32, strided<[12, 1], offset: ?>>
    %p = memref.reinterpret_cast %arena to offset: [%c512], sizes: [2, 16, 8], strides: [128, 8, 1] : memref<1024xf32> to memref<2x16x8xf32, strided<[128, 8, 1], offset: ?>>
    kernel.pack ins(%x : memref<16x12xf32, strided<[12, 1], offset: ?>>) outs(%p : memref<2x16x8xf32, strided<[128, 8, 1], offset: ?>>)
    return
  }

  // Blocks of 4 x 4 are transposed in registers.
  // CHECK-LABEL: func @transpose
  // CHECK: scf.for
  // CHECK-COUNT-4: vector.load
  // CHECK: vector.shuffle %{{.*}}, %{{.*}} [0, 4, 2, 6]
  // CHECK: vector.shuffle %{{.*}}, %{{.*}} [1, 5, 3, 7]
  // CHECK: vector.shuffle %{{.*}}, %{{.*}} [0, 1, 4, 5]
  // CHECK: vector.shuffle %{{.*}}, %{{.*}} [2, 3, 6, 7]
  // CHECK-COUNT-4: vector.store
  // The last column has its elements copied one by one.
  // CHECK: memref.load
  // CHECK: memref.store
  func.func @transpose(%arena: memref<1024xf32>) {
    %c0 = arith.constant 0 : index
    %c512 = arith.constant 512 : index
    %x = memref.reinterpret_cast %arena to offset: [%c0], sizes: [16, 5], strides: [16, 1] : memref<1024xf32> to memref<16x5xf32, strided<[16, 1], offset: ?>>
    %p = memref.reinterpret_cast %arena to offset: [%c512], sizes: [2, 5, 8], strides: [40, 8, 1] : memref<1024xf32> to memref<2x5x8xf32, strided<[40, 8, 1], offset: ?>>
    kernel.pack transposed ins(%x : memref<16x5xf32, strided<[16, 1], offset: ?>>) outs(%p : memref<2x5x8xf32, strided<[40, 8, 1], offset: ?>>)
    return
  }

  // Threads with neighbouring elements are lanes of vectors, what is left over
  // takes turns.
  // CHECK-LABEL: func @launch
  // CHECK: scf.for %[[C:.*]] = %{{.*}} to %{{.*}} step %{{.*}} {
  // CHECK: %[[X:.*]] = vector.load %{{.*}} : memref<1024xf32>, vector<4xf32>
  // CHECK: %[[S:.*]] = vector.broadcast %{{.*}} : f32 to vector<4xf32>
  // CHECK: %[[Y:.*]] = arith.mulf %[[X]], %[[S]] : vector<4xf32>
  // CHECK: vector.store %[[Y]]
  // CHECK: scf.for
  // CHECK: arith.mulf %{{.*}}, %{{.*}} : f32
  // CHECK-NOT: scf.parallel
  func.func @launch(%arena: memref<1024xf32>) {
    %c0 = arith.constant 0 : index
    kernel.launch "scale" ins(%arena, %c0 : memref<1024xf32>, index) threads 32 {
    ^bb0(%memory: memref<1024xf32>, %begin: index):
      %first = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c10 = arith.constant 10 : index
      %scale = memref.load %memory[%begin] : memref<1024xf32>
      scf.parallel (%c) = (%first) to (%c10) step (%c1) {
        %at = arith.addi %begin, %c : index
        %x = memref.load %memory[%at] : memref<1024xf32>
        %y = arith.mulf %x, %scale : f32
        memref.store %y, %memory[%at] : memref<1024xf32>
      }
      kernel.yield
    }
    return
  }

  // Threads that write one element in turn stay as they are.
  // CHECK-LABEL: func @last
  // CHECK: scf.parallel
  func.func @last(%arena: memref<1024xf32>) {
    %c0 = arith.constant 0 : index
    kernel.launch "last" ins(%arena, %c0 : memref<1024xf32>, index) threads 32 {
    ^bb0(%memory: memref<1024xf32>, %begin: index):
      %first = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c10 = arith.constant 10 : index
      scf.parallel (%c) = (%first) to (%c10) step (%c1) {
        %at = arith.addi %begin, %c : index
        %x = memref.load %memory[%at] : memref<1024xf32>
        memref.store %x, %memory[%begin] : memref<1024xf32>
      }
      kernel.yield
    }
    return
  }

  // A vector of bytes is one of floats in memory.
  // CHECK-LABEL: func @bytes
  // CHECK: %[[X:.*]] = vector.load %{{.*}} : memref<96xf32>, vector<4xf32>
  // CHECK: %[[N:.*]] = arith.fptoui %[[X]] : vector<4xf32> to vector<4xi8>
  // CHECK: %[[F:.*]] = vector.bitcast %[[N]] : vector<4xi8> to vector<1xf32>
  // CHECK: vector.store %[[F]]
  func.func @bytes(%arena: memref<96xf32>, %at: index, %to: index) {
    %x = memref.reinterpret_cast %arena to offset: [%at], sizes: [2, 8], strides: [8, 1] : memref<96xf32> to memref<2x8xf32, strided<[8, 1], offset: ?>>
    %y = memref.reinterpret_cast %arena to offset: [%to], sizes: [2, 2], strides: [2, 1] : memref<96xf32> to memref<2x2xf32, strided<[2, 1], offset: ?>>
    %n = kernel.narrow %y : memref<2x2xf32, strided<[2, 1], offset: ?>> to memref<2x8xi8, strided<[8, 1], offset: ?>>
    kernel.map ins(%x : memref<2x8xf32, strided<[8, 1], offset: ?>>) outs(%n : memref<2x8xi8, strided<[8, 1], offset: ?>>) {
    ^bb0(%a: f32):
      %b = arith.fptoui %a : f32 to i8
      kernel.yield %b : i8
    }
    return
  }
}
