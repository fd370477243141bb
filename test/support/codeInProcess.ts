import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { contractInfo, initSync } from "evmole/no_tla";
import type { CodeFunction } from "../../server/src/abi/guessedAbi.ts";
import { functionsIn } from "../../server/src/node/codeFunctions.ts";

let isReady = false;

/** Reads code in the thread of the test: one of its own needs a bundle. */
export async function codeInProcess(code: string): Promise<readonly CodeFunction[]> {
  if (!isReady) initSync({ module: readFileSync(createRequire(import.meta.url).resolve("evmole/evmole_bg.wasm")) });
  isReady = true;
  return functionsIn(contractInfo, code);
}
