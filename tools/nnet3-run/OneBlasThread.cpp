//===- OneBlasThread.cpp - OpenBLAS under a memory limit ------------------===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// When OpenBLAS is loaded, it starts one thread per CPU, and each thread
// allocates a buffer. If the limit of the address space (ulimit -v) does not
// allow that, OpenBLAS before version 0.3.30 retries forever or ends the
// program with a signal. The tools do not need these threads. Only an
// environment variable at load time can prevent them, so the program restarts
// itself.
//
//===----------------------------------------------------------------------===//

#include <cstdlib>
#include <cstring>
#include <sys/resource.h>
#include <unistd.h>

static constexpr char kOneThread[] = "OPENBLAS_NUM_THREADS=1";
/// Length of the name before the equals sign.
static constexpr size_t kNameSize = sizeof(kOneThread) - 2;

static bool hasMemoryLimit() {
  rlimit limit;
  return getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY;
}

/// Restarts the program. If that fails, it continues with the threads.
static void restart(int, char **argv, char **environment) {
  if (!hasMemoryLimit())
    return;
  size_t size = 0;
  while (environment[size])
    if (std::strcmp(environment[size++], kOneThread) == 0)
      return;
  auto **changed = static_cast<char **>(std::calloc(size + 2, sizeof(char *)));
  if (!changed)
    return;
  size_t count = 0;
  for (size_t i = 0; i < size; ++i)
    if (std::strncmp(environment[i], kOneThread, kNameSize) != 0)
      changed[count++] = environment[i];
  changed[count] = const_cast<char *>(kOneThread);
  execve("/proc/self/exe", argv, changed);
  std::free(changed);
}

/// Runs before OpenBLAS is initialized.
[[gnu::section(".preinit_array"),
  gnu::used]] static void (*const restartFirst)(int, char **,
                                                char **) = restart;
