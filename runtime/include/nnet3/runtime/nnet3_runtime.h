/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*===- nnet3_runtime.h - C interface of the nnet3 runtime -----------------===*\
|*
|* Loads compiled nnet3 programs and runs them. Plain C99, no dependencies.
|*
|* Version first: NNET3RT_ABI_VERSION is the version of this header, and
|* nnet3rt_abi_version() that of the library. They are to be equal. Structs that
|* may grow begin with struct_size, which the caller sets to sizeof the struct
|* it was compiled with.
|*
|* Threads: a program never changes after it is loaded, and any number of
|* threads may use it at once. An instance serves one thread at a time. Other
|* objects are not shared: there is no global state but the thread-local text of
|* nnet3rt_last_error().
|*
|* Matrices are row-major float32; a stride is the distance of two rows in
|* floats and is at least the number of columns.
|*
\*===----------------------------------------------------------------------===*/

#ifndef NNET3_RUNTIME_NNET3_RUNTIME_H
#define NNET3_RUNTIME_NNET3_RUNTIME_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define NNET3RT_ABI_VERSION 1u

/** Version of the library's binary interface. */
uint32_t nnet3rt_abi_version(void);

/* ---- Status ------------------------------------------------------------- */

/** What a call came to. */
typedef int32_t nnet3rt_status;
enum {
  NNET3RT_OK = 0,
  /** An argument is wrong: a null pointer, an unknown name, other dims. */
  NNET3RT_INVALID_ARGUMENT = 1,
  /** The program is damaged, or was made for another version. */
  NNET3RT_INVALID_PROGRAM = 2,
  /** The program needs what this runtime does not do. */
  NNET3RT_UNSUPPORTED = 3,
  NNET3RT_OUT_OF_MEMORY = 4,
  /** A file cannot be opened, read or mapped. */
  NNET3RT_IO_ERROR = 5,
  /** The call is not possible now, such as a run without all inputs. */
  NNET3RT_NOT_READY = 6,
  /** There is no GPU, or it does not work. */
  NNET3RT_NO_DEVICE = 7
};

/** What went wrong in this thread's latest call that did not return NNET3RT_OK;
    an empty string before the first. Owned by the library; valid until the next
    call of this thread that fails. Never null. */
const char *nnet3rt_last_error(void);

/* ---- Programs ------------------------------------------------------------ */

typedef struct nnet3rt_program nnet3rt_program;

/** How to load. Zero-initialise, set struct_size. */
typedef struct nnet3rt_load_options {
  uint32_t struct_size;
  uint32_t reserved; /**< zero */
  /** Weights to use in place of the program's own; null = its own. Borrowed:
      they must stay unchanged until the program is destroyed. Aligned to 4
      bytes at least. Any number of programs may borrow the same weights. */
  const void *weights;
  uint64_t weights_size;
  /** A program whose instances need more bytes than this for matrices is
      refused. 0 = 16 GiB. */
  uint64_t max_arena_bytes;
} nnet3rt_load_options;

/** Loads a program from memory: a whole program file, or only its FlatBuffer
    (then its weights come from the options). Everything is verified first.
    \param data borrowed. Where weights inside \p data are used it must stay
        unchanged until the program is destroyed; otherwise only until the call
        returns.
    \param options borrowed for the call; null = defaults.
    \param program receives the program, owned by the caller, to be destroyed
        with nnet3rt_program_destroy(); null on error. */
nnet3rt_status nnet3rt_program_load(const void *data, uint64_t size,
                                    const nnet3rt_load_options *options,
                                    nnet3rt_program **program);

/** The same from a file, which is mapped read-only until the program is
    destroyed; it must not be truncated or changed meanwhile.
    \param path borrowed for the call. */
nnet3rt_status nnet3rt_program_load_file(const char *path,
                                         const nnet3rt_load_options *options,
                                         nnet3rt_program **program);

/** Destroys a program, which may be null. Instances made from it stay valid,
    and keep a mapped file mapped; borrowed memory must outlive them. */
void nnet3rt_program_destroy(nnet3rt_program *program);

/** One matrix that a program takes or gives. */
typedef struct nnet3rt_io_info {
  uint32_t struct_size;
  /** Nonzero: the derivative at that node, not its value: in inputs that of an
      output node, in outputs that of an input node. */
  int32_t is_derivative;
  /** Name of the node. Owned by the program. */
  const char *name;
  int32_t rows, cols;
  /** Each row's (n, t, x), `rows` entries each, owned by the program; null
      where the program does not say. */
  const int32_t *n, *t, *x;
} nnet3rt_io_info;

/** How many matrices the program takes, and gives; 0 for null. */
int32_t nnet3rt_program_num_inputs(const nnet3rt_program *program);
int32_t nnet3rt_program_num_outputs(const nnet3rt_program *program);

/** Describes input or output number \p index.
    \param info the caller's, with struct_size set; filled in. */
nnet3rt_status nnet3rt_program_input_info(const nnet3rt_program *program,
                                          int32_t index, nnet3rt_io_info *info);
nnet3rt_status nnet3rt_program_output_info(const nnet3rt_program *program,
                                           int32_t index,
                                           nnet3rt_io_info *info);

/** Bytes of matrices that each instance allocates; 0 for null. */
uint64_t nnet3rt_program_arena_bytes(const nnet3rt_program *program);

/* ---- Instances ------------------------------------------------------------

   A program runs in one part, or, if one of its inputs is a derivative, in two:
   the forward pass takes the values of its inputs and gives those of its
   outputs; the backward pass takes the derivatives of outputs and gives those
   of inputs. Each nnet3rt_instance_run() runs the next part; after the last one
   the first follows. So a caller of a program with derivatives sets the values,
   runs, looks at the outputs, sets their derivatives, runs again, and finds the
   derivatives of the inputs. Derivatives of parameters are not computed through
   this interface; a model is used as it was loaded. */

typedef struct nnet3rt_instance nnet3rt_instance;

/** Called before (phase 0) and after (phase 1) each command.
    \param user the pointer of the options.
    \param text the command as text; valid during the call.
    \param seconds how long the command took; 0 in phase 0. */
typedef void (*nnet3rt_trace_fn)(void *user, int32_t phase, int32_t command,
                                 const char *text, double seconds);

/** How to run. Zero-initialise, set struct_size. */
typedef struct nnet3rt_instance_options {
  uint32_t struct_size;
  /** Nonzero: matrices whose contents are undefined are filled with NaN. */
  uint32_t poison;
  /** Seed of random components in training mode. The numbers drawn depend on
      the seed, the count of runs, the number of the propagate command among
      its like, and the element only. */
  uint64_t seed;
  /** May be null. */
  nnet3rt_trace_fn trace;
  /** Handed to trace; borrowed until the instance is destroyed. */
  void *trace_user;
} nnet3rt_instance_options;

/** Makes an instance: the memory that one run at a time needs.
    \param options borrowed for the call; null = defaults.
    \param instance receives it, owned by the caller, to be destroyed with
        nnet3rt_instance_destroy(); null on error. */
nnet3rt_status nnet3rt_instance_create(const nnet3rt_program *program,
                                       const nnet3rt_instance_options *options,
                                       nnet3rt_instance **instance);

/** Destroys an instance, which may be null. */
void nnet3rt_instance_destroy(nnet3rt_instance *instance);

/** Supplies input \p name, a value or a derivative, for the next run of the
    part that takes it.
    \param data rows x cols floats, borrowed: they must stay unchanged until
        that run has returned. They are copied, never written.
    \param stride floats from row to row, at least \p cols. */
nnet3rt_status nnet3rt_instance_set_input(nnet3rt_instance *instance,
                                          const char *name, const float *data,
                                          int32_t rows, int32_t cols,
                                          int64_t stride);

/** Runs the next part of the program. Every input of the part must have been
    supplied since it last ran. Allocates nothing. */
nnet3rt_status nnet3rt_instance_run(nnet3rt_instance *instance);

/** Makes the first part the next one, where the backward pass is not wanted. */
nnet3rt_status nnet3rt_instance_restart(nnet3rt_instance *instance);

/** Gives output \p name, once the part that computes it has run.
    \param data receives a pointer owned by the instance, valid until the first
        part runs again or the instance is destroyed.
    \param rows,cols,stride receive the layout; each may be null. */
nnet3rt_status nnet3rt_instance_get_output(const nnet3rt_instance *instance,
                                           const char *name, const float **data,
                                           int32_t *rows, int32_t *cols,
                                           int64_t *stride);

/** Copies output \p name, once the part that computes it has run.
    \param data the caller's, rows x cols floats with the given stride; the dims
        must be those of the output. */
nnet3rt_status nnet3rt_instance_copy_output(const nnet3rt_instance *instance,
                                            const char *name, float *data,
                                            int32_t rows, int32_t cols,
                                            int64_t stride);

#ifdef __cplusplus
}
#endif

#endif /* NNET3_RUNTIME_NNET3_RUNTIME_H */
