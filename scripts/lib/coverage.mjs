// Fails when tests reach too little of the server. Reads the profiles that the unit tests left (`NODE_V8_COVERAGE`).
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { transformSync } from "esbuild";

/** In per cent, without what processes that tests start reach. Branches are not gated: with tsx, V8 reports some that are not there. */
const LINES = 95;
const FUNCTIONS = 95;

const [profiles = "coverage/profiles"] = process.argv.slice(2);

/** A file without code has nothing to cover, but counts as uncovered, for nothing loads it. */
const typesOnly = sourceFiles().filter((file) => {
  const { code } = transformSync(readFileSync(file, "utf8"), { loader: "ts", minify: true });
  return code.replace("export{};", "").trim() === "";
});

const { status } = spawnSync(
  process.execPath,
  [
    "node_modules/c8/bin/c8.js",
    "report",
    `--temp-directory=${profiles}`,
    "--reporter=text",
    "--reporter=lcovonly",
    "--skip-full",
    "--all",
    "--src=server/src",
    "--include=server/src/**/*.ts",
    // Runs in a web worker only, where the end-to-end tests see it.
    "--exclude=server/src/browser/**",
    ...typesOnly.map((file) => `--exclude=${file}`),
    "--check-coverage",
    `--lines=${LINES}`,
    `--functions=${FUNCTIONS}`,
  ],
  { stdio: "inherit" },
);
process.exitCode = status ?? 1;

function sourceFiles() {
  return readdirSync("server/src", { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts"))
    .map((file) => path.posix.join("server/src", file.replaceAll(path.sep, "/")));
}
