import assert from "node:assert/strict";
import { methodNamed } from "../../../server/src/catalog/catalog.ts";
import { factsOf } from "../../../server/src/report/facts.ts";
import { eventText } from "../../../server/src/run/send/stream.ts";
import { alice, exchange, textOf, topic, transferTopic } from "../report/outcomes.ts";

describe("texts", () => {
  it("count one thing as one", () => {
    const dropped = (rows: number): string => eventText({ kind: "dropped", rows });
    assert.equal(dropped(1), "1 row arrived faster than it could be shown, and was left out.");
    assert.equal(dropped(2), "2 rows arrived faster than they could be shown, and were left out.");
    const back = (replayed: number): string => eventText({ kind: "back", replayed, afterMs: 5, missed: undefined });
    assert.match(back(1), / 1 row that arrived in the meantime was read again\.$/);
    assert.match(back(2), / 2 rows that arrived in the meantime were read again\.$/);
  });

  it("count the other kinds of logs", () => {
    const rest = { data: `0x${"0".repeat(64)}`, blockNumber: "0x1", logIndex: "0x0" };
    const log = (first: string, address = alice) => ({ address, topics: [first, topic(alice), topic(alice)], ...rest });
    const native = `0x${"e".repeat(40)}`;
    const logs = [log(transferTopic), log(approvalTopic), log(transferTopic, native), log(topic(alice))];
    assert.match(textOf("eth_getLogs", [{}], logs), /: .* and 1 other kind\n/);
  });

  it("name the block of a request as it was written", () => {
    const asked = (block: string | number | boolean): string | undefined =>
      factsOf(methodNamed("eth_getBalance"), [alice, block], exchange).find(({ name }) => name === "block")?.value;
    assert.deepEqual(["0x2", 2, "2", "", "pending"].map(asked), ["2", "2", '"2"', '""', "pending"]);
  });
});

const approvalTopic = "0x8c5be1e5ebec7d5bd14f71427d1e84f3dd0314c0f7b2291e5b200ac8c7c3b925";
