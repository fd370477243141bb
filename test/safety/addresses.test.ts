import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { runCommand } from "../support/commandInProcess.ts";
import { temporaryFolder } from "../support/temporaryFolder.ts";

const key = "q7Lw3Zp9Rt5Vb2Xk";

describe("a message about an address", () => {
  const addresses = [
    `eth.localhost/v2/${key}`,
    ` https://eth.localhost/v2/${key}`,
    `'https://eth.localhost/v2/${key}'`,
    `RPC_URL=https://eth.localhost/v2/${key}`,
    `https//eth.localhost/v2/${key}`,
    `eth.localhost?apikey=${key}`,
    `http://user:${key}@eth.localhost`,
  ];
  const commands = (address: string): readonly (readonly string[])[] => [
    ["run", "a.rpc.json", "-e", address],
    ["probe", "a.rpc.json", "-e", address],
    ["run", "a.rpc.json", "--compare-endpoint", address],
    ["run", "a.rpc.json", "--allow-host", `x ${address}`],
    ["run", "b.rpc.json"],
    ["check", "b.rpc.json"],
    ...(address.includes("://")
      ? [
          ["run", address],
          ["run", "a.rpc.json", "--record", address],
        ]
      : []),
  ];

  for (const address of addresses)
    it(`shows its host at most: ${address}`, async () => {
      const folder = temporaryFolder();
      const cells = [{ method: "eth_chainId", params: [] }];
      writeFileSync(join(folder, "a.rpc.json"), JSON.stringify({ cells }));
      writeFileSync(join(folder, "b.rpc.json"), JSON.stringify({ endpoint: address.trim(), cells }));
      for (const args of commands(address)) {
        const { out, err } = await runCommand(args, folder);
        assert.ok(!`${out}${err}`.includes(key), `${args.join(" ")}: ${out}${err}`);
      }
    });
});
