// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs a library of WebAssembly once: run_chunk.mjs LIBRARY
import { pathToFileURL } from "node:url";

const { load } = await import(pathToFileURL(process.argv[2]).href);
(await load()).createInstance().run();
