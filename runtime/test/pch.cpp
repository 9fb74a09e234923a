// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Holds a precompiled header; has no code of its own.
