// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import { readFile } from "node:fs/promises";
import { pathToFileURL } from "node:url";

/** The ES module of a library. */
export const importLibrary = (path) => import(pathToFileURL(path).href);

/** The numbers of a matrix in Kaldi's text form, or of the first matrix of a
    table of them. */
export async function readMatrix(path) {
  const text = await readFile(path, "utf8");
  const inside = text.slice(text.indexOf("[") + 1, text.indexOf("]"));
  return Float32Array.from(inside.trim().split(/\s+/), Number);
}

export function printMatrix(values, cols) {
  const lines = [];
  for (let at = 0; at < values.length; at += cols)
    lines.push("  " + values.subarray(at, at + cols).join(" "));
  console.log(` [\n${lines.join("\n")} ]`);
}
