/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Loads and unloads a library again and again: unload LIBRARY. Fails if that
   leaves more behind than the C library's own lists. */
#include <dlfcn.h>
#include <malloc.h>
#include <stdio.h>

int main(int argc, char **argv) {
  enum { kFirst = 3, kTimes = 20, kMostBytes = 8192 };
  size_t before = 0, after;
  int i;
  for (i = 0; i < kFirst + kTimes && argc == 2; ++i) {
    void *library = dlopen(argv[1], RTLD_NOW);
    if (!library) {
      fprintf(stderr, "%s\n", dlerror());
      return 1;
    }
    dlclose(library);
    if (i == kFirst - 1)
      before = mallinfo2().uordblks;
  }
  after = mallinfo2().uordblks;
  if (after > before + kTimes * kMostBytes)
    fprintf(stderr, "%zu bytes are left each time\n",
            (after - before) / kTimes);
  return after > before + kTimes * kMostBytes;
}
