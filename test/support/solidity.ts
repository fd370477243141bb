import { mkdirSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import type { Hex } from "viem";
import { type Anvil, ask } from "../../devchain/anvil.ts";
import type { JsonObject } from "../../server/src/base/json.ts";

/** What the compiler says of a contract. */
export interface CompiledSolidity {
  readonly abi: JsonObject[];
  readonly storageLayout: JsonObject;
  readonly transientStorageLayout: JsonObject;
  readonly evm: {
    readonly bytecode: { readonly object: string };
    readonly deployedBytecode?: JsonObject;
    readonly methodIdentifiers?: JsonObject;
  };
}

const solc = createRequire(import.meta.url)("solc") as { compile(input: string): string };

/** The compiler's whole output for a file `src/Test.sol`. */
export function solcOutput(source: string): JsonObject {
  const input = {
    language: "Solidity",
    sources: { "src/Test.sol": { content: `// SPDX-License-Identifier: MIT\npragma solidity ^0.8.29;\n${source}` } },
    settings: {
      evmVersion: "prague",
      viaIR: false,
      outputSelection: {
        "*": {
          "": ["ast"],
          "*": [
            "abi",
            "storageLayout",
            "transientStorageLayout",
            "evm.bytecode.object",
            "evm.methodIdentifiers",
            "evm.deployedBytecode",
          ],
        },
      },
    },
  };
  const output = JSON.parse(solc.compile(JSON.stringify(input))) as JsonObject & {
    readonly errors?: readonly { readonly severity: string; readonly formattedMessage: string }[];
  };
  const errors = output.errors?.filter(({ severity }) => severity === "error") ?? [];
  if (errors.length > 0) throw new Error(errors.map(({ formattedMessage }) => formattedMessage).join("\n"));
  return output;
}

/** The contracts of a file, by name. */
export function compileSolidity(source: string): Readonly<Record<string, CompiledSolidity>> {
  const { contracts } = solcOutput(source) as { readonly contracts?: unknown };
  return (contracts as Record<string, Record<string, CompiledSolidity>>)["src/Test.sol"] ?? {};
}

/** Creates a contract, and returns its address. */
export async function deploy(anvil: Anvil, { evm }: CompiledSolidity): Promise<Hex> {
  const [from] = await ask<readonly string[]>(anvil, "eth_accounts");
  const create = { from, data: `0x${evm.bytecode.object}`, gas: "0xf00000" };
  const hash = await ask<string>(anvil, "eth_sendTransaction", [create]);
  await ask(anvil, "evm_mine");
  const receipt = await ask<{ readonly status: string; readonly contractAddress: Hex }>(
    anvil,
    "eth_getTransactionReceipt",
    [hash],
  );
  if (receipt.status !== "0x1") throw new Error("the constructor reverted");
  return receipt.contractAddress;
}

/** Writes a Foundry project that is compiled by the solc of this project, for `cast storage`. */
export function writeFoundryProject(folder: string, source: string): void {
  const wrapper = join(folder, "solc.cjs");
  const require = JSON.stringify(createRequire(import.meta.url).resolve("solc"));
  const program = [
    "#!/usr/bin/env node",
    `const solc = require(${require});`,
    'const version = solc.version().replace("Emscripten.clang", "Linux.g++");',
    `if (process.argv.includes("--version")) console.log("solc\\nVersion: " + version);`,
    'else process.stdout.write(solc.compile(require("node:fs").readFileSync(0, "utf8")));',
  ];
  writeFileSync(wrapper, `${program.join("\n")}\n`, { mode: 0o755 });
  const settings = ['src = "src"', 'out = "out"', "libs = []", `solc = ${JSON.stringify(wrapper)}`, "offline = true"];
  writeFileSync(
    join(folder, "foundry.toml"),
    ["[profile.default]", ...settings, 'extra_output = ["storageLayout"]', 'evm_version = "prague"', ""].join("\n"),
  );
  mkdirSync(join(folder, "src"));
  writeFileSync(join(folder, "src/Test.sol"), `// SPDX-License-Identifier: MIT\npragma solidity ^0.8.29;\n${source}`);
}
