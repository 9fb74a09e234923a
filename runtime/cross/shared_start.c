/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*===- shared_start.c - Start code of cross-linked shared libraries -------===*\
|*
|* Libraries for other machines are linked without their compiler driver and
|* C library. This replaces the objects that a driver adds, and functions of new
|* C libraries, so that libraries run with old ones and with Android's.
|*
\*===----------------------------------------------------------------------===*/

#define _GNU_SOURCE
#include <dlfcn.h>
#include <link.h>
#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>

extern int __cxa_atexit(void (*function)(void *), void *argument,
                        void *library);
extern void __cxa_finalize(void *library);

/** Identifies the library in the C library's list of destructors. */
void *__dso_handle = &__dso_handle;

__attribute__((destructor)) static void finalize(void) {
  __cxa_finalize(&__dso_handle);
}

/** glibc has it in a static archive, which is not linked. */
int atexit(void (*function)(void)) {
  return __cxa_atexit((void (*)(void *))function, NULL, &__dso_handle);
}

/** 0: shared pointers count atomically. glibc 2.32. */
char __libc_single_threaded = 0;

/** For parts of the C++ library that are linked on RISC-V but never called.
    glibc 2.36. */
unsigned arc4random(void) { abort(); }

/* Names that only glibc has. */
unsigned long __getauxval(unsigned long type) { return getauxval(type); }
int __pthread_key_create(pthread_key_t *key, void (*destroy)(void *)) {
  return pthread_key_create(key, destroy);
}
char *gettext(const char *text) { return (char *)text; }
int bcmp(const void *a, const void *b, size_t size) {
  return memcmp(a, b, size);
}
#ifdef NNET3_BIONIC
extern int *__errno(void);
int *__errno_location(void) { return __errno(); }
#endif

typedef struct {
  ElfW(Addr) address;
  struct dl_find_object *found;
} search;

static int find_segment(struct dl_phdr_info *object, size_t size, void *data) {
  search *from = data;
  int i, is_inside = 0;
  const ElfW(Phdr) *table = NULL;
  (void)size;
  for (i = 0; i < object->dlpi_phnum; ++i) {
    const ElfW(Phdr) *segment = &object->dlpi_phdr[i];
    const ElfW(Addr) begin = object->dlpi_addr + segment->p_vaddr;
    if (segment->p_type == PT_LOAD && from->address >= begin &&
        from->address - begin < segment->p_memsz) {
      is_inside = 1;
      from->found->dlfo_map_start = (void *)begin;
      from->found->dlfo_map_end = (void *)(begin + segment->p_memsz);
    }
#ifdef __arm__
    if (segment->p_type == PT_ARM_EXIDX)
#else
    if (segment->p_type == PT_GNU_EH_FRAME)
#endif
      table = segment;
  }
  if (!is_inside || !table)
    return is_inside ? -1 : 0;
  from->found->dlfo_eh_frame = (void *)(object->dlpi_addr + table->p_vaddr);
#if DLFO_STRUCT_HAS_EH_COUNT
  from->found->dlfo_eh_count = (int)(table->p_memsz / 8);
#endif
  return 1;
}

/** Finds the unwind tables of the code at \p address. glibc 2.35. */
int _dl_find_object(void *address, struct dl_find_object *found) {
  search from = {(ElfW(Addr))address, found};
  return dl_iterate_phdr(find_segment, &from) == 1 ? 0 : -1;
}
