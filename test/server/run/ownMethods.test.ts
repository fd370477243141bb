import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { CellResult } from "../../../server/src/run/result/cellResult.ts";
import { createService } from "../../../server/src/service/service.ts";
import { testHost } from "../../support/host.ts";
import { hostileServer } from "../../support/hostileServer.ts";
import { temporaryFolder } from "../../support/temporaryFolder.ts";

const address = "0xfe3b557e8fb62b89f4916b721be55ceb828dbd73";
const document = JSON.stringify({
  openrpc: "1.3.2",
  methods: [
    {
      name: "acme_account",
      params: [],
      result: {
        name: "account",
        schema: {
          type: "object",
          properties: {
            owner: { type: "string", pattern: "^0x[0-9a-fA-F]{40}$" },
            nonce: { type: "string", pattern: "^0x(0|[1-9a-f][0-9a-f]*)$" },
          },
        },
      },
    },
  ],
});

describe("the result of a method that the project's OpenRPC document describes", () => {
  it("is reported by its schema", async () => {
    const folder = temporaryFolder();
    const server = await hostileServer(({ body }, response) => {
      const result = { owner: address, nonce: "0x10" };
      response.end(JSON.stringify({ jsonrpc: "2.0", id: JSON.parse(body).id, result }));
    });
    writeFileSync(join(folder, "acme.json"), document);
    const uri = pathToFileURL(join(folder, "a.rpc.json")).href;
    const service = createService(testHost());
    service.openText(uri, JSON.stringify({ openrpc: "./acme.json", cells: [{ method: "acme_account" }] }));
    const texts: string[] = [];
    const events = { started: () => {}, finished: ({ output }: CellResult) => void texts.push(output.text) };
    await service.run({ uri, endpoint: server.url }, events, new AbortController().signal);
    assert.match(texts.join(), /\n {2}owner {2}0xFE3B557E8Fb62b89F4916B721be55cEb828dBd73\n {2}nonce {2}16 \(0x10\)\n/);
  });
});
