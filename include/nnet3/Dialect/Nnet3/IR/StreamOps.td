//===- StreamOps.td - Streams ------------------------------*- tablegen -*-===//
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef NNET3_DIALECT_NNET3_IR_STREAMOPS_TD
#define NNET3_DIALECT_NNET3_IR_STREAMOPS_TD

include "nnet3/Dialect/Nnet3/IR/Nnet3Attributes.td"
include "mlir/IR/RegionKindInterface.td"
include "mlir/IR/SymbolInterfaces.td"

class Nnet3_Count<int least>
    : ConfinedAttr<I64Attr, [IntMinValue<least>, IntMaxValue<16777216>]>;

def Nnet3_StreamOp : Nnet3_Op<"stream", [
    Nnet3_RequestPhase, Symbol, IsolatedFromAbove, NoTerminator, SingleBlock,
    DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let opDocGroup = Nnet3_RequestDocs;
  let summary = "how a network computes one chunk of frames after the other";
  let description = [{
    A function from a state and the frames of a chunk to the next state and the
    outputs of the chunk. The state is a list of rows, those of the
    `nnet3.stream_state` ops in the body; each `nnet3.stream_chunk` op names
    the requests for chunks of one length. All lengths share the state, so that
    chunks of any of them may follow each other.

    Times count from the first output of a chunk. A chunk of C frames adds the
    input rows from time `right` to C + `right` - 1. The first chunk of a stream
    adds the rows from time -`left` on. A row of i-vectors belongs to each
    multiple of `ivector_period`. An output row belongs to each multiple of
    `frame_subsampling_factor`. The state is that of one stream. A chunk with
    `num_sequences` computes as many streams at once: its matrices hold the rows
    of each, streams outermost.

    `depends_on_chunks` says that the outputs depend on where chunks end: the
    network has optional reads (`IfDefined`, `Failover`) of rows behind the
    right context, which are absent at the end of a chunk.

    Example:

    ```mlir
    nnet3.stream @stream for @net left 1 right 1 {
      nnet3.stream_state "input" <t = -1:0>
      nnet3.stream_state "h" <t = -1> to "h.next"
      nnet3.stream_chunk 4 first @first4 next @next4
    }
    ```
  }];
  let arguments = (ins SymbolNameAttr:$sym_name, FlatSymbolRefAttr:$network,
                       Nnet3_Count<0>:$left, Nnet3_Count<0>:$right,
                       DefaultValuedAttr<Nnet3_Count<1>, "1">
                           :$frame_subsampling_factor,
                       DefaultValuedAttr<Nnet3_Count<1>, "1">:$ivector_period,
                       UnitAttr:$depends_on_chunks);
  let regions = (region SizedRegion<1>:$body);
  let assemblyFormat = [{
    $sym_name `for` $network `left` $left `right` $right
    (`frame_subsampling_factor` $frame_subsampling_factor^)?
    (`ivector_period` $ivector_period^)?
    (`depends_on_chunks` $depends_on_chunks^)?
    attr-dict-with-keyword $body
  }];
  let hasRegionVerifier = 1;
  let extraClassDeclaration = [{
    /// The rows that a chunk brings of the input node `input` or `ivector`;
    /// none of other nodes.
    ::llvm::SmallVector<::mlir::nnet3::Index>
    getNewRows(::llvm::StringRef node, int64_t chunk, bool isFirst);
    /// The rows of a node that are an input of the request for a chunk: those
    /// of the state, and behind them the new ones.
    ::llvm::SmallVector<::mlir::nnet3::Index>
    getInputRows(::llvm::StringRef node, int64_t chunk, bool isFirst);
    /// The rows of the output for a chunk.
    ::llvm::SmallVector<::mlir::nnet3::Index> getOutputRows(int64_t chunk);
    /// The same rows for every sequence, `shift` frames later.
    ::mlir::nnet3::IndexesAttr
    getIndexes(::llvm::ArrayRef<::mlir::nnet3::Index> rows,
               int64_t numSequences, int64_t shift = 0);
  }];
}

class Nnet3_StreamPartOp<string mnemonic>
    : Nnet3_Op<mnemonic, [Nnet3_RequestPhase, HasParent<"StreamOp">]> {
  let opDocGroup = Nnet3_RequestDocs;
}

def Nnet3_StreamStateOp : Nnet3_StreamPartOp<"stream_state"> {
  let summary = "rows of a node that a stream keeps for later chunks";
  let description = [{
    The rows of one sequence, whose times count from the first output of the
    chunk that comes next. Those of an input node are the caller's own: he puts
    them before the new rows. Those of a component node are an input of each
    request but the first, and what they are for the chunk that follows is the
    output `output`. Where a row was not computable, because there were no
    frames yet, it is zero.

    Example:

    ```mlir
    nnet3.stream @stream for @net left 0 right 0 {
      nnet3.stream_state "lstm.rp" <t = -3:-1> to "lstm.rp.next"
      nnet3.stream_chunk 21 first @first21 next @next21
    }
    ```
  }];
  let arguments = (ins StrAttr:$node, Nnet3_IndexesAttr:$indexes,
                       OptionalAttr<StrAttr>:$output);
  let assemblyFormat = "$node $indexes (`to` $output^)? attr-dict";
}

def Nnet3_StreamChunkOp : Nnet3_StreamPartOp<"stream_chunk"> {
  let summary = "the requests for chunks of so many frames";
  let description = [{
    `first` computes the first chunk of a stream, `next` any other. Without
    `first`, chunks of this length are too short to begin a stream: what
    later chunks need would not be there behind them. Each compute
    `num_sequences` streams, which do not depend on each other. Chunks are in
    ascending order of their frames, and of their sequences where these are the
    same.

    Example:

    ```mlir
    nnet3.stream @stream for @net left 2 right 2 {
      nnet3.stream_state "input" <t = -2:1>
      nnet3.stream_chunk 3 next @next3
      nnet3.stream_chunk 21 first @first21 next @next21
      nnet3.stream_chunk 21 num_sequences 4 first @first21x4 next @next21x4
      nnet3.stream_chunk 150 first @first150 next @next150
    }
    ```
  }];
  let arguments = (ins Nnet3_Count<1>:$num_frames,
                       DefaultValuedAttr<Nnet3_Count<1>, "1">:$num_sequences,
                       OptionalAttr<FlatSymbolRefAttr>:$first,
                       FlatSymbolRefAttr:$next);
  let assemblyFormat = [{
    $num_frames (`num_sequences` $num_sequences^)? (`first` $first^)?
    `next` $next attr-dict
  }];
}

#endif // NNET3_DIALECT_NNET3_IR_STREAMOPS_TD
