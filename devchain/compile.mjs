/**
 * Compiles `contracts/*.sol` into `artifacts/NAME.json` (ABI and creation code). The output is the same on every
 * machine and is committed; run `node devchain/compile.mjs` after a change of a contract.
 *
 * `node devchain/compile.mjs --check` writes nothing, and fails if an artifact differs from its source.
 */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import solc from "solc";

/** @param {string} name */
const folder = (name) => new URL(`./${name}/`, import.meta.url);
const names = readdirSync(folder("contracts"))
  .filter((file) => file.endsWith(".sol"))
  .sort();

const output = JSON.parse(
  solc.compile(
    JSON.stringify({
      language: "Solidity",
      sources: Object.fromEntries(
        names.map((file) => [file, { content: readFileSync(new URL(file, folder("contracts")), "utf8") }]),
      ),
      settings: {
        optimizer: { enabled: true, runs: 200 },
        evmVersion: "prague",
        metadata: { appendCBOR: false, bytecodeHash: "none" },
        outputSelection: { "*": { "*": ["abi", "evm.bytecode.object"] } },
      },
    }),
  ),
);

for (const { formattedMessage } of output.errors ?? []) console.error(formattedMessage);
if (output.errors?.length) process.exit(1);

for (const file of names) {
  const name = file.replace(/\.sol$/, "");
  const { abi, evm } = output.contracts[file][name];
  const path = new URL(`${name}.json`, folder("artifacts"));
  const text = `${JSON.stringify({ abi, bytecode: `0x${evm.bytecode.object}` }, null, 2)}\n`;
  if (!process.argv.includes("--check")) writeFileSync(path, text);
  else if (readFileSync(path, "utf8") !== text) {
    console.error(
      `devchain/artifacts/${name}.json is not what contracts/${file} gives: run node devchain/compile.mjs.`,
    );
    process.exitCode = 1;
  }
}
