// `npm run bench -- [--json] [--area=NAME]`: measurements against their budgets, each beside a baseline of the same run.
import { spawn } from "node:child_process";
import { ensure, packages, root } from "./lib/install.mjs";
import { endChildrenOnSignal, run } from "./lib/processes.mjs";
import { tail } from "./lib/progress.mjs";

endChildrenOnSignal();
const missing = await ensure([packages]);
const build = missing ? undefined : await run(process.execPath, ["esbuild.mjs", "--minify"], { cwd: root });
if (!build?.ok) {
  console.error(missing ?? tail(build?.output ?? "", 30));
  process.exit(1);
}
const args = ["--expose-gc", "--import=tsx", "bench/main.ts", ...process.argv.slice(2)];
spawn(process.execPath, args, { cwd: root, stdio: "inherit" }).once("exit", (code) => {
  process.exitCode = code ?? 1;
});
