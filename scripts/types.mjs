// Checks the types of what changed since the last check. After a change of its configuration `tsc` can repeat errors that
// are fixed, so a check of everything has to confirm them.
import { spawnSync } from "node:child_process";

/** @param {string[]} options @param {"ignore" | "inherit"} stdio */
function check(options, stdio) {
  return spawnSync(process.execPath, ["node_modules/typescript/bin/tsc", "-b", ...options], { stdio }).status;
}

if (check([], "ignore") !== 0) process.exitCode = check(["--force"], "inherit") ?? 1;
