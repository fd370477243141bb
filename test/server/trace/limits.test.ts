import assert from "node:assert/strict";
import { privateKeyToAccount } from "viem/accounts";
import { type Hex, toWord } from "../../../server/src/base/hex.ts";
import type { JsonObject, JsonValue } from "../../../server/src/base/json.ts";
import {
  type AccountFacts,
  type Answer,
  type Authorization,
  type Task,
  type TracedCall,
  usualLimits,
} from "../../../server/src/trace/task.ts";
import { traceCall } from "../../../server/src/trace/traceCall.ts";
import {
  type Code,
  calling,
  log,
  program,
  push,
  returning,
  reverting,
  selfdestruct,
  store,
} from "../../support/evm.ts";
import { callable, payer } from "../../support/randomCalls.ts";

const [first = "", second = ""] = callable;

const block = {
  ...{ number: 9n, time: 9n, gasLimit: 30_000_000n, baseFee: 0n, blobBaseFee: 1n },
  ...{ coinbase: `0x${"cb".repeat(20)}`, prevRandao: toWord(0n) },
};

/** Calls the first contract, over state that is known as a whole. */
async function run(codes: readonly (readonly Code[])[], more: Partial<Task> = {}, gas = 30_000_000n): Promise<Answer> {
  const rich: AccountFacts = { balance: 10n ** 18n, nonce: 1n, code: "0x" };
  const none: AccountFacts = { balance: 0n, nonce: 0n, code: "0x" };
  const contracts = codes.map(
    (code, at) => [callable[at] ?? "", { ...none, nonce: 1n, code: program(...code) }] as const,
  );
  const accounts = new Map<string, AccountFacts>([...contracts, [payer, rich]]);
  const known = {
    accounts: new Proxy(accounts, {
      get: (map, name) => (name === "get" ? (key: string) => map.get(key) ?? none : Reflect.get(map, name)),
    }),
    slots: new Proxy(new Map<string, string>(), { get: () => () => "0x0" }),
    hashes: new Map(),
  };
  const call = { from: payer, to: first, data: "0x", value: 0n, gas, gasPrice: 0n, accessList: [] };
  return traceCall({ calls: [call], block, chainId: 1n, fork: "osaka", limits: usualLimits, ...more }, known);
}

function callOf(answer: Answer): JsonObject {
  assert.ok(answer.kind === "traced", answer.kind === "refused" ? answer.why : answer.kind);
  return answer.trace.calls[0]?.call ?? {};
}

function inner(call: JsonObject, at = 0): JsonObject {
  const calls = call.calls as readonly JsonObject[] | undefined; // they are objects
  return calls?.[at] ?? {};
}

/** Of the first contract. */
const usual = { from: payer, to: first, data: "0x", value: 0n, gas: 100_000n, gasPrice: 0n, accessList: [] };

describe("the gas and the state of calls", () => {
  const data = `0x${"11".repeat(1100)}`;
  const refunding: Code = [...store(1, 9), ...store(1, 0)];
  for (const [what, fork, gas, used] of [
    ["the floor of EIP-7623, also after what is given back", "prague", 65_000n, 21_000n + 44_000n],
    ["no floor before Prague", "cancun", 64_000n, 48_650n], // 38,600 + 22,212, of which a fifth is given back
  ] as const)
    it(`costs ${what}`, async () => {
      const answer = await run([[refunding]], { calls: [{ ...usual, data, gas }], fork });
      assert.equal(BigInt(String(callOf(answer).gasUsed)), used);
    });
  it("is refused with less gas than the floor", async () => {
    const answer = await run([[[]]], { calls: [{ ...usual, data, gas: 64_999n }] });
    assert.equal(answer.kind, "refused");
  });
  for (const code of ["41", "42", "43", "44", "45", "48", "4a"])
    it(`depends on the block with the instruction ${code}`, async () => {
      const answer = await run([[[code]]]);
      assert.ok(answer.kind === "traced" && answer.trace.readsBlock);
    });
  it("needs the hash of another block", async () => {
    const answer = await run([[[push(8), "40"]]]);
    assert.ok(answer.kind === "missing");
    assert.deepEqual(answer.needs.hashes, [8n]);
  });
  it("needs no more at once than it may ask for", async () => {
    const many = Array.from({ length: 50 }, (_, at): Code => [push(250 + at), "40", "50"]);
    const more = { block: { ...block, number: 301n }, limits: { ...usualLimits, needs: 10 } };
    const answer = await run([many], more);
    assert.ok(answer.kind === "missing");
    assert.equal(answer.needs.hashes.length, 10);
  });
  it("is less for an address of the access list", async () => {
    const accessList = [{ address: second, slots: [] }];
    const answer = await run([[[push(BigInt(second)), "31"]]], { calls: [{ ...usual, accessList }] });
    assert.equal(BigInt(String(callOf(answer).gasUsed)), 21_000n + 2400n + 3n + 100n);
  });
  it("gives gas back for an authorization of an account that exists, not of a new one", async () => {
    const owner = privateKeyToAccount(toWord(5n));
    const authorizations = await Promise.all(
      [0, 1].map(async (nonce) => {
        const signed = await owner.signAuthorization({ contractAddress: second as Hex, chainId: 1, nonce });
        const [chainId, count, yParity] = [1, nonce, signed.yParity ?? 0].map((value) => toWord(BigInt(value)));
        return { chainId, nonce: count, yParity, r: signed.r, s: signed.s, address: second as Hex } as Authorization;
      }),
    );
    const answer = await run([[]], { calls: [{ ...usual, mined: { nonce: 1n, tip: 0n, authorizations, blobs: [] } }] });
    assert.equal(BigInt(String(callOf(answer).gasUsed)), 21_000n + 2n * 25_000n - 12_500n);
  });
  it("pays for blobs what the block says, which code can read", async () => {
    const mined = { nonce: 1n, tip: 0n, authorizations: [], blobs: [toWord(1n)] };
    const more = { calls: [{ ...usual, mined }], target: 0, block: { ...block, blobBaseFee: 5n } };
    const answer = await run([[returning("4a")]], more);
    assert.ok(answer.kind === "traced");
    assert.equal(answer.trace.calls[0]?.output, toWord(5n));
    const sender = answer.trace.touched.accounts.find(({ address }) => address === payer);
    assert.equal(sender?.balance, 10n ** 18n - 131_072n * 5n);
  });
  it("does not keep transient storage for the next call", async () => {
    const keeping: Code = [push(1), "5c", push(2), "55", push(5), push(1), "5d"]; // TLOAD, SSTORE, TSTORE
    const answer = await run([[keeping]], { calls: [usual, usual] });
    assert.ok(answer.kind === "traced");
    assert.deepEqual(answer.trace.changes, []);
  });
});

describe("what a call is computed with", () => {
  const gasOf = async (code: Code, more: Partial<TracedCall> = {}): Promise<bigint> =>
    BigInt(
      String(
        callOf(
          await run(
            [code].map((one) => [one]),
            { calls: [{ ...usual, ...more }] },
          ),
        ).gasUsed,
      ),
    );
  for (const [who, address, price] of [
    ["the producer of the block", block.coinbase, 100n],
    ["the sender", payer, 100n],
    ["the contract itself", first, 100n],
    ["a precompiled contract", `0x${"1".padStart(40, "0")}`, 100n],
    ["another contract", second, 2600n],
    ["an account that is nowhere named", `0x${"f0".repeat(20)}`, 2600n],
  ] as const)
    it(`reads an account for its price (EIP-2929, EIP-3651): ${who}`, async () =>
      assert.equal(await gasOf([push(BigInt(address)), "31"]), 21_000n + 3n + price));
  it("pays for each word of the code of a creation", async () => {
    const data = `0x${"00".repeat(64)}`; // 64 times STOP
    assert.equal(await gasOf([], { to: undefined, data }), 21_000n + 32_000n + 64n * 4n + 2n * 2n);
  });
  it("has the sender as its origin, in calls inside it too", async () => {
    const whole = callOf(
      await run([[...calling({ to: second }), "32", push(0), "52", push(32), push(0), "f3"]].map((one) => [one])),
    );
    assert.equal(whole.output, `0x${payer.slice(2).padStart(64, "0")}`);
  });
  it("names who called which code, with which value, and where among the calls a log is", async () => {
    const borrowing = (kind: string): Code => [
      push(0),
      push(0),
      push(0),
      push(0),
      push(BigInt(second)),
      "5a",
      kind,
      "50",
    ];
    const codes = [[borrowing("f4"), log(1), calling({ to: second, value: 3n }), log(2)], [["00"]]];
    const whole = callOf(await run(codes, { calls: [{ ...usual, value: 5n, gas: 1_000_000n }] }));
    const frames = (whole.calls as readonly JsonObject[]).map(({ type, from, to, value }) => [type, from, to, value]); // objects
    assert.deepEqual(frames, [
      ["DELEGATECALL", first, second, "0x5"],
      ["CALL", first, second, "0x3"],
    ]);
    const places = (whole.logs as readonly JsonObject[]).map(({ position }) => position); // objects
    assert.deepEqual(places, ["0x1", "0x2"]);
  });
  it("says which gas a call would have had that could not be paid: what it was given, and the stipend", async () => {
    const unpaid = inner(callOf(await run([[calling({ to: second, value: 5n, gas: 100n })]])));
    assert.equal(unpaid.gas, "0x960");
  });
  it("keeps the storage of a contract that ends itself and existed before (EIP-6780)", async () => {
    const answer = await run([[store(1, 5), selfdestruct(second)]]);
    assert.ok(answer.kind === "traced");
    assert.deepEqual(
      answer.trace.changes.map(({ after }) => BigInt(after)),
      [5n],
    );
  });
  it("is the only one of its block that is traced", async () => {
    const answer = await run([[log(1)]], { calls: [usual, usual], target: 1 });
    assert.ok(answer.kind === "traced");
    const [other, own] = answer.trace.calls;
    assert.deepEqual([other?.call, own?.call.type], [{}, "CALL"]);
  });
});

const endless: Code = ["5b", push(0), "56"];

describe("a call that is computed here", () => {
  it("keeps the revert data of a creation that looks like a contract which may not exist, and the gas", async () => {
    const created = inner(callOf(await run([creation(program(reverting(0xefn << 248n)))])));
    assert.deepEqual([created.error, String(created.output).slice(0, 4)], ["execution reverted", "0xef"]);
    assert.ok(BigInt(String(created.gasUsed)) < 100n);
  });

  it("is refused for a creation with code of EIP-3540, which the library would not run", async () => {
    assert.deepEqual(await run([creation("0xef0000")]), {
      kind: "refused",
      why: "it creates a contract with code of EIP-3540",
    });
  });

  // https://github.com/ethereum/go-ethereum/blob/master/core/vm/errors.go
  for (const [error, code] of [
    ["invalid jump destination", [push(9), "56"]],
    ["invalid jump destination", [push(1), push(9), "57"]],
    ["invalid opcode: INVALID", ["fe"]],
    ["invalid opcode: opcode 0xc not defined", ["0c"]],
    ["return data out of bounds", [push(1), push(0), push(0), "3e"]],
    ["out of gas", [push(2n ** 40n), push(0), "f3"]],
  ] as const)
    it(`fails in the words of nodes: ${error}, by ${code}`, async () => {
      assert.equal(callOf(await run([[code]])).error, error);
    });
  for (const [error, size] of [
    ["invalid input length", 5],
    ["invalid final flag", 213],
  ] as const)
    it(`fails in the words of nodes in a precompiled contract: ${error}`, async () => {
      const data: Code = [push(2), push(212), "53", push(0), push(0), push(size), push(0), push(9), "5a", "fa"];
      assert.equal(inner(callOf(await run([[data]]))).error, error);
    });
  it("says that a transfer of 2,300 gas is too little to store", async () => {
    const call = inner(callOf(await run([[calling({ to: second, gas: 2300n })], [store(1, 1)]])));
    assert.equal(call.error, "out of gas: not enough gas for reentrancy sentry");
  });
  it("says that the code of a creation could not be paid, not that its instructions could not", async () => {
    const created = inner(callOf(await run([creation(program([push(5000), push(0), "f3"]))], {}, 300_000n)));
    assert.equal(created.error, "contract creation code storage out of gas");
  });

  it("has the calls that did not begin: unpaid, and too deep", async () => {
    const unpaid = inner(callOf(await run([calling({ to: second, value: 5n })].map((code) => [code]))));
    assert.deepEqual(
      [unpaid.to, unpaid.value, unpaid.gasUsed, unpaid.error],
      [second, "0x5", "0x0", "insufficient balance for transfer"],
    );
    // each level has 63 of 64 parts of the gas
    let deepest = callOf(await run([[calling({ to: first })]], {}, 2n ** 62n));
    let depth = 0;
    for (; deepest.calls; depth++) deepest = inner(deepest);
    assert.deepEqual([depth, deepest.error], [1025, "max call depth exceeded"]);
  });

  it("has no logs of a call that failed, nor of those inside it", async () => {
    const failing = [log(1), calling({ to: second }), reverting(1)];
    const whole = callOf(await run([failing, [log(2)]]));
    assert.deepEqual([whole.logs, inner(whole).logs, inner(whole).error], [undefined, undefined, undefined]);
  });

  it("takes back what a call inside wrote before the call around it failed", async () => {
    const outer = [store(1, 5), calling({ to: second }), store(3, 8)];
    const inside = [calling({ to: callable[2] ?? "" }), reverting(1)];
    const answer = await run([outer, inside, [store(2, 7)]]);
    assert.ok(answer.kind === "traced");
    assert.deepEqual(
      answer.trace.changes.map(({ address, slot, after }) => [address, BigInt(slot), BigInt(after)]),
      [
        [first, 1n, 5n],
        [first, 3n, 8n],
      ],
    );
  });

  it("changes no storage of a contract that is created and destroyed in it", async () => {
    const answer = await run([creation(program(store(1, 5), ["30", "ff"]))]);
    assert.ok(answer.kind === "traced");
    assert.deepEqual(answer.trace.changes, []);
    assert.equal(inner(answer.trace.calls[0]?.call ?? {}).error, undefined);
  });

  it("has what a failed call read first, also in calls inside it that did not fail", async () => {
    const read = (slot: number): Code => [push(slot), "54", "50"];
    const outer = [read(1), store(1, 5), read(1), calling({ to: second }), reverting(1)];
    const answer = await run([outer, [read(7)]]);
    assert.ok(answer.kind === "traced");
    const words = answer.trace.calls[0]?.reads.map(({ frame, words }) => [
      frame,
      ...words.map(({ address, slot, word }) => [address, BigInt(slot), BigInt(word)]),
    ]);
    assert.deepEqual(words, [[0, [first, 1n, 0n], [second, 7n, 0n]]]);
  });

  it("shows what a contract gives away that ends itself", async () => {
    const calls = [{ from: payer, to: first, data: "0x", value: 5n, gas: 1_000_000n, gasPrice: 0n, accessList: [] }];
    const ended = inner(callOf(await run([[selfdestruct(second)]], { calls })));
    assert.deepEqual([ended.type, ended.to, ended.value], ["SELFDESTRUCT", second, "0x5"]);
  });

  it("reads for less what its access list names", async () => {
    const gasOf = async (accessList: TracedCall["accessList"]) => {
      const calls = [{ from: payer, to: first, data: "0x", value: 0n, gas: 1_000_000n, gasPrice: 0n, accessList }];
      return BigInt(String(callOf(await run([[[push(1), "54", "50"]]], { calls })).gasUsed));
    };
    const slots = [`0x${"1".padStart(64, "0")}`];
    // 2,400 for an address, 1,900 for a word; reading it costs 100 in place of 2,100 (EIP-2929, EIP-2930)
    assert.equal((await gasOf([{ address: first, slots }])) - (await gasOf([])), 2_400n + 1_900n - 2_000n);
  });

  it("has the precompiled contracts of its fork: those of EIP-2537 fail without input", async () => {
    const bls = `0x${"b".padStart(40, "0")}`;
    const forks = ["cancun", "prague", "osaka"] as const;
    const failed = forks.map(async (fork) => {
      const call = inner(callOf(await run([[calling({ to: bls, gas: 1_000n })]], { fork })));
      return call.error !== undefined;
    });
    assert.deepEqual(await Promise.all(failed), [false, true, true]);
  });

  it("reads no storage of a contract that it creates: there was none", async () => {
    const answer = await run([creation(program(store(1, 5), [push(2), "54", "50"]))]);
    assert.ok(answer.kind === "traced");
    assert.deepEqual([answer.trace.used.slots, answer.trace.changes.length], [[], 1]);
  });

  for (const [what, code, limits, why] of [
    ["runs for ever", [endless], { steps: 10_000 }, "it has more than 10,000 instructions"],
    ["logs without end", [["5b"], log(1), [push(0), "56"]], { items: 1000 }, "it has more than 1,000 calls and logs"],
    [
      "fills the memory of logs",
      [["5b", push(0x10000), push(0), "a0", push(0), "56"]],
      { bytes: 1_000_000 },
      "it has more than 1,000,000 bytes of data",
    ],
    [
      "creates without end",
      [["5b", push(0), push(0), push(0), "f0", "50", push(0), "56"]],
      { items: 100 },
      /100 calls/,
    ],
  ] as const)
    it(`is refused if it ${what}`, async () => {
      const answer = await run([code], { limits: { ...usualLimits, ...limits } });
      assert.ok(answer.kind === "refused");
      if (typeof why === "string") assert.equal(answer.why, why);
      else assert.match(answer.why, why);
    });

  it("is refused if all calls of its block together run for too long, also those that are not traced", async () => {
    const call = { from: payer, to: first, data: "0x", value: 0n, gas: 1_000_000n, gasPrice: 0n, accessList: [] };
    const code = [Array.from({ length: 500 }, () => ["5b"]).flat()];
    const answerOf = (calls: number) =>
      run([code], { calls: Array(calls).fill(call), target: calls - 1, limits: { ...usualLimits, steps: 2_000 } });
    assert.equal((await answerOf(3)).kind, "traced");
    assert.deepEqual(await answerOf(5), { kind: "refused", why: "it has more than 2,000 instructions" });
  });

  it("is not refused below the limits: a call that uses up its gas in memory, and one of a hundred creations", async () => {
    const full = callOf(await run([[[push(1), push(2n ** 40n), "52"]]]));
    assert.equal(full.error, "out of gas");
    const many = Array.from({ length: 100 }, (): Code => [push(0), push(0), push(0), "f0", "50"]);
    assert.equal((callOf(await run([many])).calls as readonly JsonValue[]).length, 100);
  });
});

/** Creates a contract by this code. */
function creation(code: `0x${string}`): readonly Code[] {
  const bytes = code.slice(2).match(/.{2}/g) ?? [];
  const stored = bytes.flatMap((byte, at) => [push(BigInt(`0x${byte}`)), push(at), "53"]);
  return [stored, [push(bytes.length), push(0), push(0), "f0"]];
}
