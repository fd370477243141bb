import assert from "node:assert/strict";
import fs, { mkdirSync, writeFileSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { join } from "node:path";
import type { Terminal } from "../../../server/src/cli/terminal.ts";
import { watch as watchFiles } from "../../../server/src/cli/watch.ts";
import { runCommand } from "../../support/commandInProcess.ts";
import { temporaryFolder } from "../../support/temporaryFolder.ts";

describe("a notebook that was written on Windows", () => {
  for (const [what, header, command = "check"] of [
    ["an ABI", { abi: ["abis\\a.json"] }],
    ["an OpenRPC document", { openrpc: ["abis\\a.json"] }],
    ["a descriptor", { descriptors: ["abis\\a.json"] }],
    ["a recording", { endpoint: "local", recording: "abis\\a.rpc.recording.json" }, "run"],
    ["a file above it", { abi: ["..\\a.json"] }],
  ] as const)
    it(`has a problem that says how paths are written: ${what}`, async () => {
      const folder = temporaryFolder();
      mkdirSync(join(folder, "abis"));
      writeFileSync(join(folder, "abis/a.json"), "[]");
      writeFileSync(join(folder, "abis/a.rpc.recording.json"), "{}");
      const notebook = { ...header, cells: [{ method: "eth_chainId" }] };
      writeFileSync(join(folder, "a.rpc.json"), JSON.stringify(notebook));
      const { out, err } = await runCommand([command, "a.rpc.json"], folder);
      const printed = out + err;
      assert.ok(printed.includes("`/`") && printed.includes("`\\`"), printed);
    });
});

describe("a notebook that is watched", () => {
  const { watch } = fs;
  let controller: AbortController;
  beforeEach(() => {
    controller = new AbortController();
  });
  afterEach(() => {
    controller.abort();
    Object.assign(fs, { watch });
    syncBuiltinESMExports();
  });

  for (const [watched, told] of [
    ["a.rpc.json", "A.RPC.json"],
    ["caf\u00e9.rpc.json", "cafe\u0301.rpc.json"],
    ["a.rpc.json", null], // a system may not say which
  ] as const)
    it(`${watched} runs again when the system says that ${told} has changed`, async () => {
      const folder = temporaryFolder();
      writeFileSync(join(folder, watched), "[]");
      let changed: (event: string, name: string | null) => void = () => assert.fail();
      const real = watch as unknown as (folder: string) => fs.FSWatcher; // the form that is called
      Object.assign(fs, {
        watch: (name: string, heard: typeof changed) => {
          changed = heard;
          return real(name);
        },
      });
      syncBuiltinESMExports();
      let runs = 0;
      const terminal = { note() {}, clear() {} } as unknown as Terminal; // a watch uses no more
      const run = async (): Promise<number> => {
        runs++;
        if (runs === 2) controller.abort();
        writeFileSync(join(folder, watched), `[${runs}]`);
        setImmediate(() => changed("change", told));
        return 0;
      };
      await watchFiles([join(folder, watched)], run, terminal, controller.signal);
      assert.equal(runs, 2);
    });
});
