import assert from "node:assert/strict";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { runCommand } from "../support/commandInProcess.ts";
import { temporaryFolder } from "../support/temporaryFolder.ts";

describe("a secret in a list of logs that is read an item at a time", function () {
  this.timeout(300_000);
  const secret = "c0ffee5ecre7".replace(/[^\da-f]/g, "5").padEnd(64, "7d3e9a");
  const transfer = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef";
  const word = (n: number): string => `0x${n.toString(16).padStart(64, "0")}`;
  let server: Server;
  let answer: string;
  const folder = temporaryFolder();

  before(async () => {
    server = createServer((request, response) => {
      const parts: Buffer[] = [];
      request.on("data", (part: Buffer) => parts.push(part));
      request.on("end", () => {
        const asked: unknown = JSON.parse(Buffer.concat(parts).toString());
        const one = ({ id, method }: { id: unknown; method: string }): string => {
          const result = method === "eth_getLogs" ? answer : method === "eth_chainId" ? '"0x1"' : "null";
          return `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${result}}`;
        };
        response.end(Array.isArray(asked) ? `[${asked.map(one).join(",")}]` : one(asked as Parameters<typeof one>[0]));
      });
    });
    await once(server.listen(0, "127.0.0.1"), "listening");
  });
  after(() => server.close());

  for (const place of ["address", "topic", "data"] as const)
    it(`is hidden as ${place}, in each report`, async () => {
      const value = place === "address" ? secret.slice(0, 40) : secret;
      const logs = Array.from({ length: 1500 }, (_, n) => ({
        address: place === "address" && n === 50 ? `0x${value}` : `0x${"11".repeat(20)}`,
        topics: [transfer, word(n), place === "topic" && n === 50 ? `0x${value}` : word(7)],
        data: place === "data" && n === 50 ? `0x${value}` : word(n),
        blockNumber: "0x1",
        transactionHash: word(n),
        logIndex: "0x0",
      }));
      answer = JSON.stringify(logs);
      assert.ok(answer.length > 500_000);
      const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
      const cells = [{ name: "logs", method: "eth_getLogs", params: [{ fromBlock: "0x1", toBlock: "0x1" }] }];
      const never = { url: "http://127.0.0.1:1/", headers: { "x-key": "{{$secret.KEY}}" } };
      writeFileSync(join(folder, "rpc-endpoints.json"), JSON.stringify({ node: url, never }));
      writeFileSync(join(folder, "a.rpc.json"), JSON.stringify({ endpoint: "node", cells }));
      const variables = { RPC_NOTEBOOK_SECRET_KEY: `0x${value}` };
      for (const report of [
        ["--report", "json"],
        ["--rows", "100"],
      ]) {
        const { out, err } = await runCommand(["run", "a.rpc.json", ...report], folder, { variables });
        assert.ok(out.includes("Transfer"), err);
        assert.ok(report[1] !== "json" || out.includes("‹secret KEY›"), place); // text leaves out what is not decoded
        const digits = out.toLowerCase();
        assert.ok(!digits.includes(value.slice(2, 30)) && !digits.includes(BigInt(`0x${value}`).toString()), report[1]);
      }
    });
});
