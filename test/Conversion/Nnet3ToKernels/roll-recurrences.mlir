// RUN: nnet3-opt --nnet3-roll-recurrences %s | FileCheck %s
// RUN: nnet3-opt --nnet3-roll-recurrences=min-rounds=5 %s | FileCheck %s --check-prefix=FIVE
// RUN: nnet3-opt --nnet3-roll-recurrences=max-period=1 %s | FileCheck %s --check-prefix=ONE

func.func private @a(index, index)
func.func private @b(index)

// Four rounds of @a and @b: the first argument grows by 8, the second jumps
// between two places, which come from a table, that of @b stays.
// CHECK: memref.global "private" constant @steps_rounds_0 : memref<1x4xi64> = dense<{{\[\[}}0, 100, 0, 100]]>
// CHECK-LABEL: func.func @steps
// CHECK: %[[TABLE:.*]] = memref.get_global @steps_rounds_0
// CHECK: scf.for %[[I:.*]] = %c0{{.*}} to %c4{{.*}} step %c1
// CHECK: %[[GROWTH:.*]] = arith.muli %[[I]], %c8
// CHECK: %[[FIRST:.*]] = arith.addi %c16{{.*}}, %[[GROWTH]]
// CHECK: %[[ENTRY:.*]] = memref.load %[[TABLE]][%{{.*}}, %[[I]]]
// CHECK: %[[CAST:.*]] = arith.index_cast %[[ENTRY]]
// CHECK: %[[SECOND:.*]] = arith.addi %c7{{.*}}, %[[CAST]]
// CHECK: func.call @a(%[[FIRST]], %[[SECOND]])
// CHECK: func.call @b(%c3{{.*}})
// CHECK: }
// CHECK-NEXT: %[[C:.*]] = arith.constant 48 : index
// CHECK: call @a(%[[C]], %{{.*}})
// CHECK-NEXT: return
// FIVE-LABEL: func.func @steps
// FIVE-NOT: scf.for
// FIVE: func.func @argument
// ONE-LABEL: func.func @steps
// ONE-NOT: scf.for
// ONE: func.func @argument
func.func @steps() {
  %c3 = arith.constant 3 : index
  %c7 = arith.constant 7 : index
  %c107 = arith.constant 107 : index
  %c16 = arith.constant 16 : index
  %c24 = arith.constant 24 : index
  %c32 = arith.constant 32 : index
  %c40 = arith.constant 40 : index
  call @a(%c16, %c7) : (index, index) -> ()
  call @b(%c3) : (index) -> ()
  call @a(%c24, %c107) : (index, index) -> ()
  call @b(%c3) : (index) -> ()
  call @a(%c32, %c7) : (index, index) -> ()
  call @b(%c3) : (index) -> ()
  call @a(%c40, %c107) : (index, index) -> ()
  call @b(%c3) : (index) -> ()
  %c48 = arith.constant 48 : index
  call @a(%c48, %c7) : (index, index) -> ()
  return
}

// Arguments that are no constants have to be the same.
// CHECK-LABEL: func.func @argument
// CHECK: scf.for
// CHECK: func.call @b(%arg0)
// CHECK: }
// CHECK: call @b(%arg1)
// CHECK-NEXT: return
func.func @argument(%x: index, %y: index) {
  call @b(%x) : (index) -> ()
  call @b(%x) : (index) -> ()
  call @b(%x) : (index) -> ()
  call @b(%y) : (index) -> ()
  return
}

// A short repetition gives way to a longer one that begins inside of it.
// CHECK-LABEL: func.func @rotated
// CHECK: call @b
// CHECK: scf.for %{{.*}} = %c0{{.*}} to %c4
// CHECK-COUNT-3: func.call
// CHECK-NOT: func.call
// CHECK: return
func.func @rotated(%x: index) {
  call @b(%x) : (index) -> ()
  call @b(%x) : (index) -> ()
  call @b(%x) : (index) -> ()
  call @a(%x, %x) : (index, index) -> ()
  call @b(%x) : (index) -> ()
  call @b(%x) : (index) -> ()
  call @a(%x, %x) : (index, index) -> ()
  call @b(%x) : (index) -> ()
  call @b(%x) : (index) -> ()
  call @a(%x, %x) : (index, index) -> ()
  call @b(%x) : (index) -> ()
  call @b(%x) : (index) -> ()
  call @a(%x, %x) : (index, index) -> ()
  return
}

// Other code is left alone.
// CHECK-LABEL: func.func @other
// CHECK-NOT: scf.for
// CHECK: return
func.func @other(%x: index) {
  %y = arith.addi %x, %x : index
  call @b(%x) : (index) -> ()
  call @b(%x) : (index) -> ()
  call @b(%x) : (index) -> ()
  return
}

func.func private @p()
func.func private @q()
func.func private @r()

// Five rounds of @q, @p and @r begin inside of four of @p and @q, of which
// three are left.
// CHECK-LABEL: func.func @overlapping
// CHECK: scf.for %{{.*}} = %c0{{.*}} to %c3
// CHECK-NEXT: func.call @p
// CHECK-NEXT: func.call @q
// CHECK-NEXT: }
// CHECK: call @p
// CHECK: scf.for %{{.*}} = %c0{{.*}} to %c5
// CHECK-NEXT: func.call @q
// CHECK-NEXT: func.call @p
// CHECK-NEXT: func.call @r
// CHECK-NEXT: }
// CHECK-NEXT: return
func.func @overlapping() {
  call @p() : () -> ()
  call @q() : () -> ()
  call @p() : () -> ()
  call @q() : () -> ()
  call @p() : () -> ()
  call @q() : () -> ()
  call @p() : () -> ()
  call @q() : () -> ()
  call @p() : () -> ()
  call @r() : () -> ()
  call @q() : () -> ()
  call @p() : () -> ()
  call @r() : () -> ()
  call @q() : () -> ()
  call @p() : () -> ()
  call @r() : () -> ()
  call @q() : () -> ()
  call @p() : () -> ()
  call @r() : () -> ()
  call @q() : () -> ()
  call @p() : () -> ()
  call @r() : () -> ()
  return
}
