// `npm run vscode`: the embedded chain, and VS Code with the extension as built from this tree and the examples open.
import { spawn } from "node:child_process";
import path from "node:path";
import { ensure, packages, root, testComponents } from "./lib/install.mjs";
import { endWithParent, onPath, run } from "./lib/processes.mjs";
import { announce, tail } from "./lib/progress.mjs";

endWithParent();
const desktop = onPath("code");
if (!desktop && process.platform === "win32")
  fail("There is no `code` on PATH. Install VS Code, and open a new terminal.");
const missing = await ensure(desktop ? [packages] : [packages, ...testComponents.vscode]);
if (missing) fail(missing);

const building = announce("Building");
const build = await run(process.execPath, ["esbuild.mjs"], { cwd: root });
building.done(build.ok);
if (!build.ok) fail(tail(build.output, 30));

// Ctrl-C reaches the child directly: it ends the processes that it started, then this process ends too.
for (const signal of /** @type {const} */ (["SIGINT", "SIGTERM", "SIGHUP"]))
  process.on(signal, () => child.kill(signal));
const args = ["--import=tsx", path.join(root, "scripts/openVSCode.ts"), desktop ? "desktop" : "browser"];
const child = spawn(process.execPath, args, { cwd: root, stdio: "inherit" });
child.once("exit", (code) => {
  process.exitCode = code ?? 1;
});

/** @param {string} reason @returns {never} */
function fail(reason) {
  console.error(reason);
  process.exit(1);
}
