import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { startOf } from "../../scripts/lib/processes.mjs";
import { temporaryFolder } from "../support/temporaryFolder.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));

describe("npm start in a fresh clone", () => {
  it("installs what it builds with, builds, and shows decoded answers", () => {
    const clone = temporaryFolder();
    execFileSync("git", ["clone", "--quiet", root, clone]);
    const npm = startOf("npm", ["start"]);
    const out = execFileSync(npm.file, npm.args, { cwd: clone, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
    assert.match(out, /cells? ok/);
  });
});
