func.func @f(%rows: memref<4xf32>) {
  %thread = gpu.thread_id x
  %x = memref.load %rows[%thread] : memref<4xf32>
  memref.store %x, %rows[%thread] : memref<4xf32>
  return
}
