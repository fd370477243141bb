// `npm run bench -- [--json] [--area=NAME] [--logs=COUNT]`: measurements with their limits, each next to a baseline of the same run.
import { spawn } from "node:child_process";
import path from "node:path";
import { ensure, root, testPackages } from "./lib/install.mjs";
import { endChildrenOnSignal, run } from "./lib/processes.mjs";
import { tail } from "./lib/progress.mjs";

endChildrenOnSignal();
const missing = await ensure([testPackages]);
const build = missing ? undefined : await run(process.execPath, ["esbuild.mjs", "--minify"], { cwd: root });
if (!build?.ok) {
  console.error(missing ?? tail(build?.output ?? "", 30));
  process.exit(1);
}
// Bundled like the package: a loader that rewrites each file takes longer than many of the measurements.
const bench = path.join(root, ".cache/bench/main.mjs");
const { build: bundle } = await import("esbuild"); // not there before `ensure`
await bundle({
  entryPoints: [path.join(root, "bench/main.ts")],
  outfile: bench,
  bundle: true,
  platform: "node",
  format: "esm",
  target: "es2022",
  mainFields: ["module", "main"],
  // The JSON service that ours is compared with requires Node's modules as CommonJS does.
  banner: {
    js: `import { createRequire as requireFrom } from "node:module"; const require = requireFrom(import.meta.url);`,
  },
  logLevel: "warning",
});
spawn(process.execPath, ["--expose-gc", bench, ...process.argv.slice(2)], { cwd: root, stdio: "inherit" }).once(
  "exit",
  (code) => {
    process.exitCode = code ?? 1;
  },
);
