// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Prints what the outputs of a stream depend on: about-stream.mjs STREAM
import { importLibrary } from "./common.mjs";

const { stream } = await (await importLibrary(process.argv[2])).load();
console.log(`chunks ${stream.dependsOnChunks}, end ${stream.dependsOnEnd}`);
