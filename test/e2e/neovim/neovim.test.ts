import assert from "node:assert/strict";
import { execFile, execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { documented } from "../../support/documented.ts";
import { itWorks, type Written } from "../editors/features.ts";
import { openWorkplace, type Workplace } from "../editors/workplace.ts";

const drive = fileURLToPath(new URL("drive.lua", import.meta.url));

describe("Neovim, with the configuration of docs/editors.md", () => {
  let workplace: Workplace;
  let written: Written;

  before(async () => {
    workplace = await openWorkplace("a.rpc.json");
    const { folder, url, env } = workplace;
    const init = workplace.write(
      "../init.lua",
      configuration().replace('"http://127.0.0.1:8545"', JSON.stringify(url)),
    );
    const out = workplace.write("../out.json", "{}");
    const args = ["--headless", "-u", init, "a.rpc.json", "-c", `luafile ${drive}`];
    const { stderr } = await promisify(execFile)("nvim", args, {
      cwd: folder,
      timeout: 90_000,
      env: { ...env, RPC_TEST_OUT: out },
    });
    written = JSON.parse(workplace.read(out));
    assert.equal(written.failed, undefined, `${written.failed}\n${stderr}`);
  }).timeout(120_000);
  after(() => workplace.remove());

  itWorks(
    () => written,
    () => workplace.read("a.rpc.json"),
  );
});

/** The configuration that the docs give for the Neovim that is on the `PATH`. */
function configuration(): string {
  const version = /^NVIM v0\.(\d+)/.exec(execFileSync("nvim", ["--version"], { encoding: "utf8" }))?.[1];
  assert.ok(version, "nvim prints its version");
  return documented(Number(version) < 11 ? "### Neovim 0.7 to 0.10" : "### Neovim 0.11 and newer", "lua");
}
