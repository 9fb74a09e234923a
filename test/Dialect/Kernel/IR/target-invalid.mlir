// RUN: nnet3-opt --verify-diagnostics -split-input-file %s

// expected-error@+1 {{expects vector_bits to be a power of 2 from 32 to 2048, but got 384}}
#target = #kernel.target<vector_bits = 384, vector_registers = 16>

// -----

// expected-error@+1 {{expects 4 to 64 vector_registers, but got 0}}
#target = #kernel.target<vector_bits = 256, vector_registers = 0>

// -----

// expected-error@+1 {{expects l2_bytes from 65536 to 67108864, but got 512}}
#target = #kernel.target<vector_bits = 256, vector_registers = 16, l2_bytes = 512>

// -----

// expected-error@+1 {{expects dot_products to be a list of #kernel.dot_product, but got [7]}}
#target = #kernel.target<vector_bits = 256, vector_registers = 16, dot_products = [7]>

// -----

// expected-error@+1 {{expects row_lanes from 1 to 8, but got 9}}
#target = #kernel.target<vector_bits = 256, vector_registers = 16, row_lanes = 9>

// -----

// expected-error@+1 {{expects panel_columns to be a multiple of 8, but got 12}}
#target = #kernel.target<vector_bits = 256, vector_registers = 16, panel_columns = 12>

// -----

// expected-error@+1 {{expects panel_columns to be a multiple of 16, but got 24}}
#target = #kernel.target<vector_bits = 128, vector_registers = 32, panel_columns = 24, scalable_bits = 64>

// -----

// expected-error@+1 {{expects scalable_bits to be a power of 2 from 32 to vector_bits, and these at most 512, but got 96 and 128}}
#target = #kernel.target<vector_bits = 128, vector_registers = 32, scalable_bits = 96>

// -----

// expected-error@+1 {{expects 1 to 256 threads, but got 257}}
#target = #kernel.target<vector_bits = 128, vector_registers = 32, threads = 257>

// -----

// expected-error@+1 {{expects scalable_bits to be a power of 2 from 32 to vector_bits, and these at most 512, but got 128 and 1024}}
#target = #kernel.target<vector_bits = 1024, vector_registers = 32, scalable_bits = 128>

// -----

// expected-error@+1 {{expects pair_products to be an intrinsic of LLVM, but got "pmaddwd"}}
#target = #kernel.target<vector_bits = 128, vector_registers = 16, pair_products = "pmaddwd">

// -----

// expected-error@+1 {{expects no pair_products with row_lanes above 1, because a pair of a row is copied to all lanes}}
#target = #kernel.target<vector_bits = 128, vector_registers = 32, row_lanes = 4, pair_products = "llvm.x86.sse2.pmadd.wd">

// -----

// expected-error@+1 {{expects lane_intrinsics for row_lanes of scalable vectors, and for no others}}
#target = #kernel.target<vector_bits = 128, vector_registers = 32, row_lanes = 4, scalable_bits = 128>

// -----

// expected-error@+1 {{expects elements of bf16, int8 or int16, but got tf32}}
#product = #kernel.dot_product<elements = tf32, group = 1, intrinsic = "llvm.a", feature = "a">

// -----

// expected-error@+1 {{expects a group of 1 to 16 elements, but got 0}}
#product = #kernel.dot_product<elements = bf16, group = 0, intrinsic = "llvm.a", feature = "a">

// -----

// expected-error@+1 {{expects an intrinsic of LLVM, but got 'printf'}}
#product = #kernel.dot_product<elements = bf16, group = 2, intrinsic = "printf", feature = "a">
