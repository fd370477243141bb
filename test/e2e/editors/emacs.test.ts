import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { documented } from "../../support/documented.ts";
import { itWorks, type Written } from "./features.ts";
import { openTerminal } from "./terminal.ts";
import { openWorkplace, type Workplace } from "./workplace.ts";

const drive = fileURLToPath(new URL("drive.el", import.meta.url));

describe("Emacs with eglot, with the configuration of docs/editors.md", () => {
  let workplace: Workplace;
  let written: Written;

  before(async () => {
    workplace = await openWorkplace("a.rpc.json");
    const { folder, url, env } = workplace;
    const [mode, eglot] = [0, 1].map((nth) => documented("## Emacs", "elisp", nth));
    workplace.write("../home/.emacs", `${mode}${eglot?.replace('"http://127.0.0.1:8545"', JSON.stringify(url))}`);
    const out = workplace.write("../out.json", "{}");
    const terminal = await openTerminal(`emacs -nw a.rpc.json -l "${drive}"`, folder, { ...env, RPC_TEST_OUT: out });
    try {
      await terminal.ended();
    } finally {
      await terminal.close();
    }
    written = JSON.parse(workplace.read(out));
    assert.equal(written.failed, undefined, written.failed);
  }).timeout(120_000);
  after(() => workplace.remove());

  itWorks(
    () => written,
    () => workplace.read("a.rpc.json"),
  );
});
