import { readFileSync } from "node:fs";
import { parentPort, workerData } from "node:worker_threads";
import { contractInfo, initSync } from "evmole/no_tla";
import { functionsIn } from "./codeFunctions.ts";

// A thread that reads the code of one contract. It has no network.
initSync({ module: readFileSync(new URL("./evmole_bg.wasm", import.meta.url)) });
parentPort?.postMessage(functionsIn(contractInfo, String(workerData)));
