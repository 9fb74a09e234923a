module {
  func.func @places(%arg0: memref<4096xf32>, %arg1: memref<4096xf32>) {
    call @remainder_0(%arg0, %arg1) : (memref<4096xf32>, memref<4096xf32>) -> ()
    call @either_1(%arg0, %arg1) : (memref<4096xf32>, memref<4096xf32>) -> ()
    return
  }
  func.func private @remainder_0(%arg0: memref<4096xf32>, %arg1: memref<4096xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c10 = arith.constant 10 : index
    %c32 = arith.constant 32 : index
    scf.parallel (%arg2, %arg3) = (%c0, %c0) to (%c32, %c32) step (%c1, %c1) {
      %0 = arith.muli %arg2, %c32 : index
      %1 = arith.addi %0, %arg3 : index
      %2 = arith.remui %1, %c10 : index
      %3 = memref.load %arg0[%2] : memref<4096xf32>
      memref.store %3, %arg0[%arg3] : memref<4096xf32>
      scf.reduce
    }
    return
  }
  func.func private @either_1(%arg0: memref<4096xf32>, %arg1: memref<4096xf32>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c16 = arith.constant 16 : index
    %c32 = arith.constant 32 : index
    %c2048 = arith.constant 2048 : index
    scf.parallel (%arg2, %arg3) = (%c0, %c0) to (%c32, %c32) step (%c1, %c1) {
      %0 = arith.cmpi slt, %arg2, %c16 : index
      %1 = arith.select %0, %c0, %c2048 : index
      %2 = arith.addi %1, %arg3 : index
      %3 = memref.load %arg0[%2] : memref<4096xf32>
      %4 = arith.muli %arg2, %c32 : index
      %5 = arith.addi %4, %arg3 : index
      memref.store %3, %arg1[%5] : memref<4096xf32>
      scf.reduce
    }
    return
  }
}
