import assert from "node:assert/strict";
import { startDevchain } from "../../../devchain/devchain.ts";
import type { CellResult } from "../../../server/src/run/result/cellResult.ts";
import { createService } from "../../../server/src/service/service.ts";
import { countedChain } from "../../support/countedChain.ts";
import { fastClock } from "../../support/fastClock.ts";
import { person, type Run, runText, testHost } from "../../support/host.ts";

const [alice, bob] = [
  "0x70997970c51812dc3a010c7d01b50e0d17dc79c8",
  "0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc",
] as const;
const empty = "0x00000000000000000000000000000000000e1117";
/** Code that returns the time of the block. */
const timeCode = "0x4260005260206000f3";
const limited = { error: { code: -32005, message: "rate limit exceeded" } };
const uri = "file:///nowhere/a.rpc.json";
const never = new AbortController().signal;

describe("an endpoint that does not answer everything about what is assumed", () => {
  const counted = countedChain();

  const balanceOf = (token: string, account: string) => ({
    method: "eth_call",
    params: [{ to: token, data: `0x70a08231${account.slice(2).padStart(64, "0")}` }, "latest"],
    assume: { token: { [token]: { [account]: "5" } } },
  });
  const text = ({ cells }: Run, at = 0): string => cells[at]?.output.text ?? "";

  for (const [what, asked] of [
    ["take a token without an answer for one without decimals", "0x313ce567"],
    ["say that a token calculates a balance if no word was read back", "f".repeat(64)],
  ] as const)
    it(`does not ${what}`, async () => {
      const { address: token } = counted.chain.contracts.token;
      await counted.replacing(({ params }) => (JSON.stringify(params).includes(asked) ? limited : undefined));
      const made = await runText(JSON.stringify([balanceOf(token, alice)]), {
        endpoint: counted.proxy.url,
        host: { clock: fastClock() },
      });
      assert.match(text(made), /The lookup for `assume` failed/);
    });

  for (const [method, params, result] of [
    ["eth_estimateGas", [{ from: alice, to: bob, value: "0x1" }], "0x5208"],
    [
      "eth_simulateV1",
      [{ blockStateCalls: [{ calls: [{ from: alice, to: bob, value: "0x1" }] }] }, "latest"],
      [{ number: "0x1", calls: [{ status: "0x1", returnData: "0x", gasUsed: "0x5208", logs: [] }] }],
    ],
  ] as const)
    it(`refuses to assume with ${method} if that ignores overrides, although eth_call takes them`, async () => {
      await counted.replacing((asked) => (asked.method === method ? { result } : undefined));
      const cells = [{ method, params, assume: { balance: { [alice]: "0 ether" } } }];
      const made = await runText(JSON.stringify(cells), { endpoint: counted.proxy.url });
      assert.equal(made.cells[0]?.ok, false);
      assert.ok(text(made).includes(`does not accept state overrides in \`${method}\``), text(made));
    });

  it("refuses decimals that are not a number of decimals, and takes those of the notebook", async () => {
    const { address: token } = counted.chain.contracts.token;
    for (const result of [`0x${"f".repeat(64)}`, `0x${"0".repeat(128)}`, "0x06"]) {
      await counted.replacing(({ params }) => (JSON.stringify(params).includes("0x313ce567") ? { result } : undefined));
      const cells = [balanceOf(token, alice)];
      const made = await runText(JSON.stringify(cells), { endpoint: counted.proxy.url });
      assert.match(text(made), /its `decimals` returns no number from 0 to 255/);
      const tokens = { [token]: { symbol: "T", decimals: 6 } };
      const stated = await runText(JSON.stringify({ tokens, cells }), { endpoint: counted.proxy.url });
      assert.equal(stated.cells[0]?.ok, true, text(stated));
    }
  });

  it("looks for another layout if the one that is known fits none of the accounts any more", async () => {
    const { address: token } = counted.chain.contracts.token;
    const service = createService(testHost());
    const run = async (accounts: readonly string[]): Promise<readonly boolean[]> => {
      service.openText(uri, JSON.stringify(accounts.map((account) => balanceOf(token, account))));
      const done: boolean[] = [];
      await service.run(
        { uri, endpoint: counted.proxy.url },
        { started: () => {}, finished: ({ ok }) => done.push(ok) },
        never,
      );
      service.close(uri);
      return done;
    };
    assert.deepEqual(await run([empty]), [true]);
    const code = await counted.chain.rpc("eth_getCode", [token, "latest"]);
    await counted.chain.rpc("anvil_setCode", [token, returning(`42`)]);
    assert.deepEqual(await run([alice, bob]), [false, false]);
    await counted.chain.rpc("anvil_setCode", [token, code]);
  });

  it("counts from the time that the chain has now", async () => {
    const later = {
      method: "eth_call",
      params: [{ to: empty }, "latest"],
      assume: { code: { [empty]: timeCode }, time: "+1 day" },
    };
    const warp = { method: "evm_setNextBlockTimestamp", params: [3_000_000_000] };
    const mine = { method: "evm_mine", params: [] };
    const chain = await startDevchain({ sealEveryMs: 0, traffic: false }); // its time is shifted
    const service = createService(testHost({ consent: person({ allowWrites: async () => true }) }));
    const results: bigint[] = [];
    for (const cells of [[later], [warp], [mine], [later]]) {
      service.openText(uri, JSON.stringify(cells));
      const finished = ({ answers }: Pick<CellResult, "answers">): void => {
        if (cells[0] === later) results.push(BigInt(Object(answers()[0]).result));
      };
      const events = { started: () => {}, finished: (one: CellResult) => finished({ answers: () => one.answers() }) };
      const { failed } = await service.run({ uri, endpoint: chain.url }, events, never);
      assert.equal(failed, 0);
    }
    await chain.stop();
    const [before = 0n, after = 0n] = results;
    assert.ok(after - before >= 1_000_000n, `${after - before} s`);
  });
});

/** Code of a contract whose `balanceOf` is what this code leaves on the stack. */
function returning(code: string): string {
  return `0x6000${code}60005260206000f3`;
}
