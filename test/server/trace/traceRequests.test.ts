import assert from "node:assert/strict";
import { ask } from "../../../devchain/anvil.ts";
import type { JsonValue } from "../../../server/src/base/json.ts";
import type { BlockQuestion } from "../../../server/src/rpc/head.ts";
import { type Code, calling, passingOn, push, returning } from "../../support/evm.ts";
import { callable } from "../../support/randomCalls.ts";
import type { Lie } from "./anvilBlocks.ts";
import { shown, traceReadings, unserved, words } from "./readings.ts";

const [first = "", second = ""] = callable;

describe("a trace that asks for state", function () {
  this.timeout(600_000);
  const { read: reading, put, anvil } = traceReadings();

  it("takes two messages more than its rounds, and one list of what it needs", async () => {
    const loads = Array.from({ length: 20 }, (_, slot): Code => [push(slot), "54", "50"]);
    await put(second, ...loads, returning(push(1)));
    await put(first, calling({ to: second }), passingOn);
    const call = [{ to: first }, "latest"];
    const asked: BlockQuestion[][] = [];
    const guessing = await reading(call, { asked });
    const listing = await reading(call, { refuses: ["debug_traceCall"] });
    assert.ok(guessing.kind === "computed" && listing.kind === "computed");
    assert.deepEqual([guessing.rounds, listing.rounds], [5, 3]);
    const state = asked.flat().filter(({ method }) => !/^eth_(?:call|simulateV1|getBlockByNumber)$/.test(method));
    assert.equal(new Set(state.map((one) => JSON.stringify(one))).size, state.length, "each value is read once");
    assert.ok(
      state.every(({ params }) => params.at(-1) === "0x5"),
      "at one block",
    );
  });

  it("takes five requests at a service of nine methods where each is a message: twelve contracts with five words each", async () => {
    const contracts = Array.from({ length: 12 }, (_, at) => `0x${`b0de00${10 + at}`.repeat(5)}`);
    const loads: Code = [1, 2, 3, 4, 5].flatMap((slot) => [push(slot), "54", "50"]);
    for (const address of contracts) {
      const others = address === contracts[0] ? contracts.slice(1).flatMap((to) => calling({ to })) : [];
      await put(address, loads, others, returning(push(1), "54"));
      await ask(anvil, "anvil_setStorageAt", [address, words(1n), words(7n)]);
    }
    const asked: BlockQuestion[][] = [];
    const memory = { headBy: "eth_simulateV1" } as const;
    const found = await reading([{ to: contracts[0] ?? "" }, "latest"], { batch: false, memory, asked, refuses: [] });
    assert.ok(found.kind === "computed", shown(found));
    assert.deepEqual(found.judged.equal, ["status", "output", "gas", "logs"]);
    assert.ok(
      asked.flat().length <= 5,
      asked
        .flat()
        .map(({ method }) => method)
        .join(),
    );
  });

  it("takes fewer rounds for a function that was traced before, and reads its values anew", async () => {
    // reads the slot that is the argument, and the slot that is named there
    await put(second, returning(push(4), "35", "54", "54"));
    const data = (slot: number): string => `0x12345678${slot.toString(16).padStart(64, "0")}`;
    const set = (slot: bigint, value: bigint) => ask(anvil, "anvil_setStorageAt", [second, words(slot), words(value)]);
    await set(5n, 6n);
    await set(6n, 7n);
    const memory = {};
    const given = { memory, refuses: unserved };
    const first = await reading([{ to: second, data: data(5) }, "latest"], given);
    await set(6n, 8n);
    const asked: BlockQuestion[][] = [];
    const again = await reading([{ to: second, data: data(5) }, "latest"], { ...given, asked });
    const other = await reading([{ to: second, data: data(6) }, "latest"], given);
    assert.ok(first.kind === "computed" && again.kind === "computed" && other.kind === "computed", shown(again));
    assert.deepEqual(
      [first, again, other].map(({ trace }) => BigInt(trace.calls[0]?.output ?? 0)),
      [7n, 8n, 0n],
    );
    assert.ok(again.rounds < first.rounds, `${again.rounds} of ${first.rounds}`);
    assert.ok(other.rounds <= first.rounds);
  });

  /** A contract that calls twenty others, each of which reads three slots. */
  async function putMany(): Promise<void> {
    const others = Array.from({ length: 20 }, (_, at) => `0x${(0xabcd0000 + at).toString(16).repeat(5)}`);
    const loads = [1, 2, 3].map((slot): Code => [push(slot), "54", "50"]);
    for (const [at, other] of others.entries()) await put(other, ...loads, returning(push(at)));
    await put(first, ...others.map((to) => calling({ to })), returning(push(1)));
  }

  it("of calls to more contracts than are guessed at once is whole", async () => {
    await putMany();
    const found = await reading([{ to: first }, "latest"]);
    assert.ok(found.kind === "computed", shown(found));
    const calls = found.trace.calls[0]?.call.calls as readonly JsonValue[] | undefined;
    assert.equal(calls?.length, 20);
    assert.ok(found.rounds <= 7, String(found.rounds));
  });

  it("reads with few requests where messages hold few: by a simulation, or singly if that is refused", async () => {
    await putMany();
    const found = await reading([{ to: first }, "latest"], { batch: false });
    assert.ok(found.kind === "computed", shown(found));
    assert.ok(found.requests < 20, String(found.requests));
    const short: Lie = ({ method, params }) =>
      method === "eth_simulateV1" && JSON.stringify(params).includes("368110") ? [] : undefined; // code that reads
    const singly = await reading([{ to: first }, "latest"], { batch: false, lie: short });
    assert.ok(singly.kind === "computed" && singly.requests > 100, shown(singly));
    assert.deepEqual(singly.trace, found.trace);
  });

  it("reads the nonce of an account that creates a contract by it", async () => {
    await ask(anvil, "anvil_setNonce", [first, "0x2a"]);
    const created: Code = [push(0), push(0), push(0), "f0"];
    await put(first, returning(...created));
    const asked: BlockQuestion[][] = [];
    const found = await reading([{ to: first }, "latest"], { batch: 1, asked });
    assert.ok(found.kind === "computed", shown(found));
    const nonces = asked.flat().filter(({ method }) => method === "eth_getTransactionCount");
    assert.equal(nonces[0]?.params[0], first);
    await ask(anvil, "anvil_setNonce", [first, "0x1"]);
  });
});
