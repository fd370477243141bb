/** Starts the embedded chain: `npm run devchain -- --help`. */
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { endWithParent } from "./lib/processes.mjs";

if (existsSync(fileURLToPath(new URL("../node_modules/tsx", import.meta.url)))) {
  const { register } = await import("tsx/esm/api");
  register();
  endWithParent();
  await import("../devchain/main.ts");
} else {
  console.error("The packages are not installed yet: run npm ci first.");
  process.exitCode = 1;
}
