// The quickstart against a fresh embedded chain: started on a free port, and gone when the last cell is done.
import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { startDevchain } from "../devchain/devchain.ts";

const cli = fileURLToPath(new URL("../dist/cli.mjs", import.meta.url));
const notebook = "examples/quickstart.rpc.json";

const begun = performance.now();
const chain = await startDevchain();
console.log(`✓ Embedded chain on ${chain.url}  ${((performance.now() - begun) / 1000).toFixed(1)} s\n`);
try {
  process.exitCode = await new Promise<number>((resolve) => {
    console.log(`$ rpc-notebook run ${notebook}\n`);
    const run = spawn(process.execPath, [cli, "run", notebook, "--endpoint", chain.url], { stdio: "inherit" });
    run.once("exit", (code) => resolve(code ?? 1));
  });
} finally {
  await chain.stop();
}
