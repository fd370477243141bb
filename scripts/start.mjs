// `npm start`: installs missing packages, builds, and runs the quickstart notebook against the embedded chain.
import { spawn } from "node:child_process";
import path from "node:path";
import { ensure, packages, root } from "./lib/install.mjs";
import { endChildrenOnSignal, run } from "./lib/processes.mjs";
import { announce, tail } from "./lib/progress.mjs";

endChildrenOnSignal();
const missing = await ensure([packages]);
if (missing) fail(missing);

const building = announce("Building");
const build = await run(process.execPath, ["esbuild.mjs"], { cwd: root });
building.done(build.ok);
if (!build.ok) fail(tail(build.output, 30));

const quickstart = spawn(process.execPath, ["--import=tsx", path.join(root, "scripts/quickstart.ts")], {
  cwd: root,
  stdio: "inherit",
});
quickstart.once("exit", (code) => {
  process.exitCode = code ?? 1;
});

/** @param {string} reason @returns {never} */
function fail(reason) {
  console.error(reason);
  process.exit(1);
}
