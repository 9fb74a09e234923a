// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import { load } from "./net.mjs";
const model = await load();
model.createFeatures("plp");
model.requests = [];
model.openStream().push([1, 2]);
