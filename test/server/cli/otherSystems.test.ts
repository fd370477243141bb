import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
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
