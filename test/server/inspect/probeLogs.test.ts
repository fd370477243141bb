import assert from "node:assert/strict";
import { type LogReach, logReach } from "../../../server/src/inspect/probeLogs.ts";
import { thorough } from "../../support/depth.ts";
import { clientTo } from "../../support/host.ts";
import { hostileServer } from "../../support/hostileServer.ts";

/** How an endpoint answers a range of more than 2,000 blocks. */
type Refusing = { readonly code: number; readonly message: string; readonly status?: number } | "silence";

async function reach(refusing: Refusing, most = 1999): Promise<LogReach> {
  const server = await hostileServer(({ body }, response) => {
    const asked = [JSON.parse(body)].flat() as { id: number; params: { fromBlock: string; toBlock: string }[] }[];
    const isWide = asked.some(({ params: [range] }) => range && Number(range.toBlock) - Number(range.fromBlock) > most);
    if (isWide && refusing === "silence") return;
    const answers = asked.map(({ id }) =>
      isWide && refusing !== "silence" ? { jsonrpc: "2.0", id, error: refusing } : { jsonrpc: "2.0", id, result: [] },
    );
    response.writeHead(isWide && refusing !== "silence" ? (refusing.status ?? 200) : 200);
    response.end(JSON.stringify(body.startsWith("[") ? answers : answers[0]));
  });
  try {
    return await logReach(clientTo(server.url), 5_000_000n, new AbortController().signal);
  } finally {
    await server.close();
  }
}

describe("how many blocks a probe finds that eth_getLogs takes", () => {
  const refusals: readonly (readonly [what: string, refusing: Refusing, limit: bigint])[] = [
    ["a number in words", { code: -32614, message: "eth_getLogs is limited to a 2,000 range" }, 1999n],
    [
      "a number, with HTTP 413",
      { code: -32614, message: "eth_getLogs is limited to a 2,000 range", status: 413 },
      1999n,
    ],
    ["a number under a code of its own", { code: -32000, message: "10001 > 2000" }, 1999n],
    ["no number", { code: -32062, message: "Block range is too large" }, 1999n],
    ["unknown words", { code: -31999, message: "computer says no" }, 1999n],
    ["a greater number than was taken", { code: -32602, message: "query exceeds max block range 5000" }, 4999n],
    // the client gives an endpoint four seconds
    ...(thorough ? ([["silence", "silence", 1999n]] as const) : []),
  ];
  for (const [what, refusing, limit] of refusals) {
    it(`is known if wider ranges meet ${what}`, async () => {
      const found = await reach(refusing);
      assert.deepEqual([found.limit, found.took], [limit, 1999n]);
      assert.ok(found.refusal);
    });
  }

  it("is unknown if all ranges are accepted, or all are refused for another reason", async () => {
    assert.deepEqual(await reach("silence", 1_000_000), { limit: undefined, took: 100_000n, refusal: undefined });
    const denied = await reach({ code: -32601, message: "the method eth_getLogs does not exist" }, 0);
    assert.deepEqual(denied, { limit: undefined, took: undefined, refusal: undefined });
  });
});
