import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { zipSync } from "fflate";
import { contentHash } from "../../../server/src/abi/descriptors.ts";
import { createDownloads } from "../../../server/src/node/transport.ts";
import {
  downloadRegistry,
  type RegistrySource,
  readRegistry,
  registryFacts,
} from "../../../server/src/workspace/registry.ts";
import { describedContracts, usdt } from "../../support/describedContracts.ts";

const text = JSON.stringify(describedContracts["usdt.json"]);
const descriptor = new TextEncoder().encode(text);
const archive = zipSync({
  "registry-abc/registry/tether/calldata-usdt.json": descriptor,
  "registry-abc/README.md": new Uint8Array(10),
});
const hash = contentHash(new Map([["archive:///registry/registry/tether/calldata-usdt.json", descriptor]]));

/** An archive of one file that says of it, in both places, how many bytes it has. */
function sayingThat(zip: Uint8Array, size: number): Uint8Array {
  const lying = Buffer.from(zip);
  lying.writeUInt32LE(size, lying.indexOf("PK\x03\x04") + 22);
  lying.writeUInt32LE(size, lying.indexOf("PK\x01\x02") + 24);
  return lying;
}

describe("a download of the registry", () => {
  const kept = new Map<string, string>();
  const cache = {
    read: async (key: string) => kept.get(key),
    write: async (key: string, value: string) => void kept.set(key, value),
  };
  beforeEach(() => kept.clear());

  const downloaded = async (answer: RequestListener, over: Partial<RegistrySource> = {}, signal?: AbortSignal) => {
    const server = createServer(answer).listen(0, "127.0.0.1");
    await once(server, "listening");
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/zip/abc`; // of a server that listens on a port
    const source = { url, commit: "abc", date: "2026-08-20", bytes: archive.length, hash, ...over };
    const facts = await registryFacts(source, cache, Date.parse("2026-09-01"));
    const { host } = new URL(url);
    assert.equal(facts?.host, host);
    assert.match(
      facts.words.detail[0] ?? "",
      new RegExp(`as it was on 2026-08-20 \\(commit abc\\), .* MB, from ${host},`),
    );
    const ended = signal ?? new AbortController().signal;
    const result = await downloadRegistry(
      source,
      createDownloads(() => ({})),
      cache,
      ended,
    );
    server.closeAllConnections();
    server.close();
    return { result, source };
  };

  it("keeps the descriptors, with the commit and its date", async () => {
    const asked: string[] = [];
    const { result, source } = await downloaded((request, response) => {
      asked.push(`${request.method} ${request.url}`);
      response.end(archive);
    });
    assert.deepEqual(result, { descriptors: 1 });
    assert.deepEqual(asked, ["GET /zip/abc"]);
    const again = await registryFacts(source, cache, Date.parse("2026-09-01"));
    assert.deepEqual(again?.have, { commit: "abc", date: "2026-08-20" });
    assert.match(
      again.words.question,
      /^You have the registry of 2026-08-20, 12 days old\. This version knows no newer/,
    );
    const found = (await readRegistry(cache, (entity) => `of ${entity}`))?.table.find(
      "call",
      1n,
      usdt,
      "0x095ea7b3",
      false,
    );
    assert.equal(found?.origin, "of tether");
    assert.ok(found.read().display);
  });

  const bomb = zipSync({ "x/registry/a/calldata-a.json": [new Uint8Array(60_000_000), { level: 9 }] });
  const many = zipSync(Object.fromEntries(Array.from({ length: 10_001 }, (_, at) => [`x/${at}`, new Uint8Array()])));
  for (const [what, answer, expected] of [
    ["another hash", zipSync({ "x/registry/a/calldata-a.json": descriptor }), /is not the registry of commit abc/],
    ["an archive that is cut short", archive.subarray(0, archive.length - 30), /not a complete archive/],
    ["what is no archive", new TextEncoder().encode("<html>"), /not a complete archive/],
    ["a bomb", bomb, /not a complete archive, or has more than 50 MB/],
    ["a bomb that says it is small", sayingThat(bomb, 10), /not a complete archive, or has more than 50 MB/],
    ["ten thousand files", many, /not a complete archive/],
    ["more than what was agreed to", new Uint8Array(5_000_000), /larger than 4 MB/],
    ["another status", 404, /HTTP 404/],
    ["a redirect", 302, /HTTP 302/],
    ["a broken connection", undefined, /closed the connection/],
  ] as const)
    it(`keeps nothing of ${what}`, async () => {
      const play: RequestListener = (_, response) => {
        if (answer === undefined) response.destroy();
        else if (typeof answer === "number") response.writeHead(answer, { location: "http://127.0.0.1:1/" }).end();
        else response.end(answer);
      };
      const { result } = await downloaded(play, { bytes: 2_000_000 });
      assert.match(result.problem ?? "", expected);
      assert.match(result.problem ?? "", /Nothing was saved\.$/);
      assert.equal(kept.size, 0);
    });

  it("keeps nothing when it is cancelled, or nothing answers", async () => {
    const cancelled = await downloaded(() => {}, {}, AbortSignal.abort());
    assert.match(cancelled.result.problem ?? "", /^Cancelled/);
    const source = { url: "http://127.0.0.1:1/zip", commit: "abc", date: "", bytes: 1, hash };
    const { problem } = await downloadRegistry(
      source,
      createDownloads(() => ({})),
      cache,
      new AbortController().signal,
    );
    assert.match(problem ?? "", /Nothing answers at 127\.0\.0\.1:1/);
    assert.equal(kept.size, 0);
  });
});
