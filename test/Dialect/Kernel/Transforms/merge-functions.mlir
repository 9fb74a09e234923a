// RUN: nnet3-opt --kernel-merge-functions %s | FileCheck %s

// Numbers of rows become an argument, and floats another one.
// CHECK-LABEL: func.func @run
// CHECK: %[[TWO:.*]] = arith.constant 2 : index
// CHECK: %[[ZERO:.*]] = arith.constant 0.000000e+00 : f32
// CHECK: call @fill_0(%{{.*}}, %[[TWO]], %[[ZERO]])
// CHECK: %[[FIVE:.*]] = arith.constant 5 : index
// CHECK: call @fill_0(%{{.*}}, %[[FIVE]], %{{.*}})
// CHECK: %[[ONE:.*]] = arith.constant 1.000000e+00 : f32
// CHECK: call @fill_0(%{{.*}}, %{{.*}}, %[[ONE]])
// CHECK: call @fill_3
// CHECK: call @multiply_0
// CHECK: call @multiply_1
func.func @run(%arena: memref<96xf32>) {
  func.call @fill_0(%arena) : (memref<96xf32>) -> ()
  func.call @fill_1(%arena) : (memref<96xf32>) -> ()
  func.call @fill_2(%arena) : (memref<96xf32>) -> ()
  func.call @fill_3(%arena) : (memref<96xf32>) -> ()
  func.call @multiply_0(%arena) : (memref<96xf32>) -> ()
  func.call @multiply_1(%arena) : (memref<96xf32>) -> ()
  return
}

// CHECK: func.func private @fill_0(%[[ARENA:.*]]: memref<96xf32>, %[[ROWS:.*]]: index, %[[NUMBER:.*]]: f32)
// CHECK: scf.for %{{.*}} = %{{.*}} to %[[ROWS]] step
// CHECK: memref.store %[[NUMBER]]
func.func private @fill_0(%arena: memref<96xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %zero = arith.constant 0.0 : f32
  scf.for %i = %c0 to %c2 step %c1 {
    memref.store %zero, %arena[%i] : memref<96xf32>
  }
  return
}
// CHECK-NOT: @fill_1
func.func private @fill_1(%arena: memref<96xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %zero = arith.constant 0.0 : f32
  scf.for %i = %c0 to %c5 step %c1 {
    memref.store %zero, %arena[%i] : memref<96xf32>
  }
  return
}
// CHECK-NOT: @fill_2
func.func private @fill_2(%arena: memref<96xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %one = arith.constant 1.0 : f32
  scf.for %i = %c0 to %c5 step %c1 {
    memref.store %one, %arena[%i] : memref<96xf32>
  }
  return
}
// Another type is another function.
// CHECK: func.func private @fill_3(%{{.*}}: memref<96xf32>)
func.func private @fill_3(%arena: memref<96xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %one = arith.constant dense<1.0> : vector<1xf32>
  scf.for %i = %c0 to %c5 step %c1 {
    vector.store %one, %arena[%i] : memref<96xf32>, vector<1xf32>
  }
  return
}

// The distance of rows stays in the code of matmuls.
// CHECK: func.func private @multiply_0(%{{.*}}: memref<96xf32>)
func.func private @multiply_0(%arena: memref<96xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c8 = arith.constant 8 : index
  scf.for %i = %c0 to %c2 step %c1 {
    %at = arith.muli %i, %c8 : index
    %x = vector.load %arena[%at] : memref<96xf32>, vector<8xf32>
    %y = vector.fma %x, %x, %x : vector<8xf32>
    vector.store %y, %arena[%at] : memref<96xf32>, vector<8xf32>
  }
  return
}
// CHECK: func.func private @multiply_1(%{{.*}}: memref<96xf32>)
func.func private @multiply_1(%arena: memref<96xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c16 = arith.constant 16 : index
  scf.for %i = %c0 to %c2 step %c1 {
    %at = arith.muli %i, %c16 : index
    %x = vector.load %arena[%at] : memref<96xf32>, vector<8xf32>
    %y = vector.fma %x, %x, %x : vector<8xf32>
    vector.store %y, %arena[%at] : memref<96xf32>, vector<8xf32>
  }
  return
}
