// RUN: split-file %s %t
// RUN: not nnet3-translate --mlir-to-config %t/two.mlir 2>&1 | FileCheck %s --check-prefix=TWO
// RUN: not nnet3-translate --mlir-to-config %t/file.mlir 2>&1 | FileCheck %s --check-prefix=FILE

// TWO: error: expects one network, but got 2
// FILE: file.mlir:2:3: error: file name 'a\22b' cannot be written in a config

//--- two.mlir
nnet3.network @n {
}
nnet3.network @m {
}
//--- file.mlir
nnet3.network @n {
  nnet3.fixed_scale @s {dim = 4 : i64, init = {scales = "a\22b"}}
}
