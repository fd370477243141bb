import assert from "node:assert/strict";
import fc from "fast-check";
import { type Anvil, ask, startAnvil } from "../../../devchain/anvil.ts";
import type { JsonObject, JsonValue } from "../../../server/src/base/json.ts";
import type { BackgroundClient } from "../../../server/src/gate/backgroundClient.ts";
import type { BlockQuestion } from "../../../server/src/rpc/head.ts";
import type { Trace } from "../../../server/src/trace/task.ts";
import { thorough, times } from "../../support/depth.ts";
import { clientTo } from "../../support/host.ts";
import { type Lie, mine, nodeTrace, randomBlock, readingOf, saysPrague } from "./anvilBlocks.ts";
import { corrected, lines } from "./anvilCalls.ts";

/** A fault that is planted into the answers of a node. Gets a random number, and the number of the block as a quantity. */
type Fault = (random: number, number: string) => Lie;

/** Changes a member of the block. */
function inBlock(change: (block: JsonObject, random: number) => JsonObject): Fault {
  return (random) => (question, result) =>
    question.method === "eth_getBlockByNumber" ? change(result as JsonObject, random) : undefined; // it is a block
}

/** The place of the transaction that is left out: any but the last, which is asked about. */
const leftOut = (list: JsonValue, random: number): readonly JsonValue[] => {
  const all = list as readonly JsonValue[]; // of a block
  return all.length < 2 ? all : all.filter((_, at) => at !== random % (all.length - 1));
};

const faults: Readonly<Record<string, Fault>> = {
  "a transaction is left out": (random) => (question, result) => {
    if (question.method === "eth_getBlockReceipts") return leftOut(result, random);
    if (question.method !== "eth_getBlockByNumber") return undefined;
    const block = result as JsonObject; // it is one
    return { ...block, transactions: leftOut(block.transactions ?? [], random) };
  },
  "its time is wrong": inBlock(({ timestamp, ...block }) => ({
    ...block,
    timestamp: `0x${(BigInt(String(timestamp)) + 1n).toString(16)}`,
  })),
  "its prevrandao is wrong": inBlock((block, random) => ({
    ...block,
    mixHash: `0x${random.toString(16).padStart(64, "1")}`,
  })),
  "its coinbase is wrong": inBlock((block, random) => ({
    ...block,
    miner: `0x${random.toString(16).padStart(40, "2")}`,
  })),
  "its rules are wrong": () => saysPrague,
  "a word of storage was wrong": (random, number) => {
    let count = 0;
    // not one that is read because it may be needed
    const isUsed = (slot: JsonValue | undefined): boolean => BigInt(String(slot)) < 1000n;
    return ({ method, params }, result) =>
      method === "eth_getStorageAt" && params[2] !== number && isUsed(params[1]) && count++ === random % 2
        ? `0x${(BigInt(String(result)) + 1n).toString(16).padStart(64, "0")}`
        : undefined;
  },
  "code was wrong": (random, number) => {
    let count = 0;
    return ({ method, params }, result) =>
      method === "eth_getCode" && params[1] !== number && result !== "0x" && count++ === random % 2
        ? `${String(result).slice(0, -2)}5b`
        : undefined;
  },
  "a balance was wrong": (random, number) => {
    let count = 0;
    return ({ method, params }, result) =>
      method === "eth_getBalance" && params[1] !== number && count++ === random % 2
        ? `0x${(BigInt(String(result)) + 1n).toString(16)}`
        : undefined;
  },
};

describe("a fault of an endpoint that gives a block", function () {
  this.timeout(1_200_000);
  let anvil: Anvil;
  let client: BackgroundClient;
  before(async () => {
    anvil = await startAnvil({ genesisTime: 1_750_000_000, hardfork: "osaka" });
    await ask(anvil, "anvil_mine", ["0x5"]);
    client = clientTo(`http://${anvil.host}`);
  });
  after(() => anvil?.kill());

  for (const [what, fault] of Object.entries(faults))
    it(`is refused if the replay reads it, else it changes nothing that is shown: ${what}`, async () => {
      let refused = 0;
      await fc.assert(
        fc.asyncProperty(randomBlock(fc.integer({ min: 2, max: 6 })), fc.nat(), async (block, random) => {
          const hashes = await mine(anvil, block);
          const hash = hashes.at(-1) ?? "";
          const number = await ask<string>(anvil, "eth_blockNumber");
          const planted: BlockQuestion[] = [];
          const lie = fault(random, number);
          const found = await readingOf(client, hash, {
            lie(question, result) {
              const told = lie(question, result);
              if (told !== undefined) planted.push(question);
              return told;
            },
          });
          if (planted.length === 0) return;
          const honest = await readingOf(client, hash);
          assert.ok(honest.kind === "replayed", honest.kind);
          const isRead = planted.some((question) => reads(honest.trace, question));
          if (found.kind !== "replayed") return void refused++;
          assert.ok(!isRead, "a value that the replay reads");
          assert.deepEqual(found.trace, honest.trace);
          const ours = lines(found.trace.calls[found.target]?.call ?? {});
          assert.deepEqual(ours, corrected(lines(await nodeTrace(anvil, hash)), ours));
        }),
        { numRuns: times(60) },
      );
      if (thorough) assert.ok(refused > 0, "no fault was found"); // a few blocks may all do the same
    });
});

/** Whether a replay reads the value that a question asks for. What is read of the block itself always counts. */
function reads({ used }: Trace, { method, params: [first, second] }: BlockQuestion): boolean {
  if (method === "eth_getStorageAt")
    return used.slots.some(({ address, slot }) => address === first && BigInt(slot) === BigInt(String(second)));
  const isState = method === "eth_getCode" || method === "eth_getBalance";
  return isState ? used.accounts.includes(String(first)) : method === "eth_getBlockByNumber";
}
