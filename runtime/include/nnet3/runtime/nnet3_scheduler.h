/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*===- nnet3_scheduler.h - Many live streams through one library ----------===*\
|*
|* Accepts frames of any number of streams from any threads, computes them in
|* batches on its own threads, and returns the outputs of each stream in order.
|* Plain C99, no dependencies. docs/user/Scheduler.md shows how to use it.
|*
|* Any number of threads may use a scheduler at once; calls for the same stream
|* are ordered by the caller. Structs begin with struct_size, which the caller
|* sets to sizeof the struct it was compiled with.
|*
\*===----------------------------------------------------------------------===*/

#ifndef NNET3_RUNTIME_NNET3_SCHEDULER_H
#define NNET3_RUNTIME_NNET3_SCHEDULER_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define NNET3SC_ABI_VERSION 1u

/** Version of the library's binary interface. */
uint32_t nnet3sc_abi_version(void);

/* ---- Status -------------------------------------------------------------- */

/** The result of a call. */
typedef int32_t nnet3sc_status;
enum {
  NNET3SC_OK = 0,
  /** A null pointer, a negative count, an option out of its range, a missing
      i-vector, or a struct_size that is not set. */
  NNET3SC_INVALID_ARGUMENT = 1,
  /** There is no such stream, or it has ended. */
  NNET3SC_NO_SUCH_STREAM = 2,
  /** The queue of the stream is too full for all frames, or there are no
     outputs yet. */
  NNET3SC_WOULD_BLOCK = 3,
  /** The stream accepts no frames after nnet3sc_close(), or the scheduler is
      being destroyed. */
  NNET3SC_CLOSED = 4,
  /** The stream has ended, and all of its outputs have been taken. */
  NNET3SC_ENDED = 5,
  /** A step of the stream failed, and ended it. */
  NNET3SC_STEP_FAILED = 6,
  /** The library cannot be loaded, or was not made for streams. */
  NNET3SC_CANNOT_OPEN = 7,
  NNET3SC_OUT_OF_MEMORY = 8,
  /** The system cannot create as many threads. */
  NNET3SC_NO_THREADS = 9
};

/** Describes a status. Never null. */
const char *nnet3sc_error_text(nnet3sc_status status);

/* ---- Schedulers ---------------------------------------------------------- */

typedef struct nnet3sc_scheduler nnet3sc_scheduler;

/** The number of a stream; a scheduler never reuses a number. */
typedef uint64_t nnet3sc_stream;

/** Outputs of a stream, in order. */
typedef struct nnet3sc_result {
  const float *rows; /**< borrowed for the call; contiguous rows */
  int32_t num_rows, num_cols;
  /** Not 0: the stream has ended, and its number is no longer valid. */
  int32_t is_last;
  /** NNET3SC_STEP_FAILED if an error ended the stream, else NNET3SC_OK. */
  nnet3sc_status status;
  /** The status of the step in the library's own codes. */
  int32_t step_status;
} nnet3sc_result;

/** Receives outputs. Called by threads of the scheduler, one call at a time for
each stream. It may call all functions but nnet3sc_destroy(); nnet3sc_push()
does not wait in it. */
typedef void (*nnet3sc_result_fn)(void *context, nnet3sc_stream stream,
                                  const nnet3sc_result *result);

/** Options of a scheduler. Zero-initialise, then set struct_size. */
typedef struct nnet3sc_options {
  uint32_t struct_size;
  /** Number of worker threads, each with its own memory; 0 = 1. */
  int32_t num_workers;
  /** Not 0: each worker is pinned to one of the CPUs of the process, on Linux;
      ignored elsewhere. */
  int32_t pin_workers;
  /** Largest number of streams per step; 0 = the largest batch size of the
      library. */
  int32_t max_batch;
  /** Longest time in seconds that a chunk whose frames are there waits for
      other streams to fill its batch. Chunks of closed streams do not wait. */
  double max_wait;
  /** Capacity of the frame queue of a stream, one of the longest chunk and the
      right context at least; 0 = two of the longest chunk and the right
      context. Without on_result, the queue of outputs has the capacity for the
      outputs of max_frames frames and two of the longest chunk. */
  int32_t max_frames;
  /** Not 0: a push waits until the queue has space. A full queue of outputs
      stops the stream, so a thread that pushes and polls must poll all
     available outputs after every max_frames frames at the latest. */
  int32_t push_waits;
  /** Receives the outputs. Null: nnet3sc_poll() returns them. */
  nnet3sc_result_fn on_result;
  void *context;
  /** Receives the error message if nnet3sc_create() fails, truncated to fit.
      The caller's memory of message_size bytes; may be null. */
  char *message;
  uint64_t message_size;
} nnet3sc_options;

/** Creates a scheduler for the library \p path, made by `nnet3-compile
    --streaming`, whose functions begin with \p prefix.
    \param weights_path file of the weights; null if they are in the library.
    \param options borrowed for the call; null = defaults.
    \param scheduler receives it, owned by the caller, to be destroyed with
        nnet3sc_destroy(); null on error. */
nnet3sc_status nnet3sc_create(const char *path, const char *prefix,
                              const char *weights_path,
                              const nnet3sc_options *options,
                              nnet3sc_scheduler **scheduler);

/** Destroys a scheduler, which may be null, after its threads have finished
    their current steps. Open streams end without more outputs; waiting calls
    return NNET3SC_CLOSED. No other call may begin. */
void nnet3sc_destroy(nnet3sc_scheduler *scheduler);

/** Properties of all streams of a scheduler. */
typedef struct nnet3sc_info {
  uint32_t struct_size;
  /** Columns of frames, of i-vectors (0: no i-vectors) and of outputs. */
  int32_t input_dim, ivector_dim, output_dim;
  /** Frames per output. */
  int32_t frame_subsampling_factor;
  /** Number of frames after a chunk that its outputs depend on. */
  int32_t right_context;
  int32_t shortest_chunk, longest_chunk;
  int32_t max_batch, max_frames;
} nnet3sc_info;

/** \param info the caller's, with struct_size set; filled in. */
nnet3sc_status nnet3sc_get_info(const nnet3sc_scheduler *scheduler,
                                nnet3sc_info *info);

/* ---- Streams ------------------------------------------------------------- */

/** Opens a stream. \param stream receives its number. */
nnet3sc_status nnet3sc_open(nnet3sc_scheduler *scheduler,
                            nnet3sc_stream *stream);

/** Adds frames to a stream.
    \param frames \p num_frames contiguous rows; copied.
    \param ivector for these and later frames; null: unchanged. Required with
   the first frames if the network takes i-vectors.
    \param num_taken receives the number of frames that were added: all of them
        if the call returns NNET3SC_OK. May be null. */
nnet3sc_status nnet3sc_push(nnet3sc_scheduler *scheduler, nnet3sc_stream stream,
                            const float *frames, int32_t num_frames,
                            const float *ivector, int32_t *num_taken);

/** Ends the frames of a stream. The remaining outputs are computed with copies
    of the last frame as padding. */
nnet3sc_status nnet3sc_close(nnet3sc_scheduler *scheduler,
                             nnet3sc_stream stream);

/** Ends a stream immediately. Does not wait for a running on_result. */
nnet3sc_status nnet3sc_cancel(nnet3sc_scheduler *scheduler,
                              nnet3sc_stream stream);

/** Takes outputs of a stream, if the scheduler has no on_result.
    \param rows receives at most \p max_rows rows of output_dim columns.
    \param timeout seconds to wait if there are no outputs; 0 = do not wait.
    \param num_rows receives the number of rows.
    \return NNET3SC_OK with rows, NNET3SC_WOULD_BLOCK if there are none yet.
        After the last output NNET3SC_ENDED or NNET3SC_STEP_FAILED; the stream's
        number is then no longer valid. */
nnet3sc_status nnet3sc_poll(nnet3sc_scheduler *scheduler, nnet3sc_stream stream,
                            float *rows, int32_t max_rows, double timeout,
                            int32_t *num_rows);

/* ---- Metrics ------------------------------------------------------------- */

/** Metrics since the scheduler was created or nnet3sc_reset_metrics() was
    called. */
typedef struct nnet3sc_metrics {
  uint32_t struct_size;
  /** Length of batch_sizes. */
  int32_t num_batch_sizes;
  /** The caller's array, or null: entry i receives the number of steps that
      computed i + 1 streams. */
  uint64_t *batch_sizes;
  /** Current streams, and those of them that have the frames of a chunk. */
  uint64_t num_streams, num_ready;
  uint64_t num_opened, num_ended, num_failed;
  uint64_t num_frames, num_outputs; /**< pushed and computed */
  uint64_t num_steps, num_chunks;   /**< calls of the library; chunks in them */
  double seconds;
  /** Fraction of the time that the workers computed. */
  double utilisation;
  /** Seconds from the arrival of a chunk's first new frame to its outputs;
      an upper bound within 4%. */
  double latency_p50, latency_p99, latency_max;
  /** Seconds from the arrival of a chunk's last frame to its outputs. */
  double delay_p50, delay_p99, delay_max;
} nnet3sc_metrics;

/** \param metrics the caller's, with struct_size set; filled in. */
nnet3sc_status nnet3sc_get_metrics(const nnet3sc_scheduler *scheduler,
                                   nnet3sc_metrics *metrics);

/** Sets all metrics to zero. */
nnet3sc_status nnet3sc_reset_metrics(nnet3sc_scheduler *scheduler);

#ifdef __cplusplus
}
#endif

#endif /* NNET3_RUNTIME_NNET3_SCHEDULER_H */
