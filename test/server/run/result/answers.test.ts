import assert from "node:assert/strict";
import { scopeOf } from "../../../../server/src/abi/abiScope.ts";
import { wellKnownAbis } from "../../../../server/src/abi/wellKnownAbis.ts";
import { methodNamed } from "../../../../server/src/catalog/catalog.ts";
import { readCell } from "../../../../server/src/notebook/readCell.ts";
import type { CellRun } from "../../../../server/src/run/cellRun.ts";
import { answersOf } from "../../../../server/src/run/result/output.ts";
import { alice, answered, bob, topic, transferTopic } from "../../report/outcomes.ts";

const contract = (at: number): string => `0x${(0x1000 + at).toString(16).padStart(40, "0")}`;
const logs = Array.from({ length: 20 }, (_, at) => ({
  ...{ address: contract(at), topics: [transferTopic, topic(alice), topic(bob)], data: `0x${"1".padStart(64, "0")}` },
  ...{ blockNumber: "0x1", logIndex: "0x0", transactionIndex: "0x0" },
}));

/** How often an event is looked up to make the JSON of an answer with these logs. */
function lookups(tokens: Parameters<typeof answersOf>[1]["tokens"]): number {
  let count = 0;
  const counting = {
    ...wellKnownAbis,
    events: (hash: string, address?: string) => {
      count++;
      return wellKnownAbis.events(hash, address);
    },
  };
  const text = '{ "method": "eth_getLogs", "params": [{}] }';
  const spec = methodNamed("eth_getLogs");
  const request = { text, id: 1, method: "eth_getLogs", spec, params: [{}], returns: undefined };
  const answers = [{ request, outcome: answered(logs), scope: scopeOf([], [], counting) }];
  const [first] = answersOf({ step: { cell: readCell(text) }, answers } as unknown as CellRun, {
    labels: new Map(),
    names: () => [],
    snapshot: undefined,
    tokens,
  });
  assert.equal(JSON.stringify(first).includes("amounts"), tokens.size > 0);
  return count;
}

describe("the JSON of an answer", () => {
  it("decodes the logs once, and once more only for amounts", () => {
    const tokens = new Map([[contract(3), { symbol: "USD", decimals: 6, source: "the header" }]]);
    // all logs have the same event, which each decoding looks up once
    assert.deepEqual([lookups(new Map()), lookups(tokens)], [1, 2]);
  });
});
