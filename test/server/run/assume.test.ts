import assert from "node:assert/strict";
import { countedChain } from "../../support/countedChain.ts";
import { type Run, runText } from "../../support/host.ts";
import { pluck } from "../../support/pluck.ts";

const [alice, bob] = [
  "0x70997970C51812dc3A010C7d01b50e0d17dc79C8",
  "0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC",
] as const;
/** An address without code and without money. */
const empty = "0x00000000000000000000000000000000000e1117";
/** Code that returns the time of the block, and code that returns slot 0. */
const [timeCode, slotCode] = ["0x4260005260206000f3", "0x60005460005260206000f3"];
const labels = { [alice]: "alice", [bob]: "bob", [empty]: "empty" };

describe("a request that assumes something", () => {
  const counted = countedChain();

  const run = (...cells: readonly unknown[]): Promise<Run> =>
    runText(JSON.stringify({ labels, variables: { me: empty }, cells }), { endpoint: counted.proxy.url });
  const answer = ({ cells }: Run, at = 0): Readonly<Record<string, unknown>> => Object(cells[at]?.answers()[0]);
  const text = ({ cells }: Run, at = 0): string => cells[at]?.output.text ?? "";

  it("spends tokens, an allowance and money that nobody has", async () => {
    const { address: token } = counted.chain.contracts.token;
    const data = { function: "transferFrom(address,address,uint256) returns (bool)", args: [empty, alice, "5000000"] };
    const made = await run({
      method: "eth_call",
      params: [{ from: bob, to: token, data }, "latest"],
      assume: {
        token: { [token]: { "{{me}}": "5" } },
        allowance: { [token]: { me: { bob: "unlimited" } } },
        balance: { bob: "1.5 ether" },
      },
    });
    const { request, result, assumed } = answer(made);
    assert.equal(BigInt(String(result)), 1n, text(made));
    assert.deepEqual(Object.keys(Object(request)), ["jsonrpc", "id", "method", "params"]);
    const [, , overrides] = Object(request).params;
    assert.equal(overrides[bob.toLowerCase()].balance, "0x14d1120d7b160000");
    const texts = [`${empty} has 5 of ${token}`, `me lets bob spend any amount of ${token}`, "bob has 1.5 ether"];
    assert.deepEqual(pluck(assumed as readonly { readonly text: string }[], "text"), texts);
    assert.match(text(made), / · with 3 assumptions/);
    assert.doesNotMatch(counted.proxy.bodies.join(), /assume/);
  });

  it("says in words and in hex what an account lacks without it", async () => {
    const { address: token } = counted.chain.contracts.token;
    const data = { function: "transfer(address,uint256) returns (bool)", args: [alice, "5000000"] };
    const request = { method: "eth_estimateGas", params: [{ from: empty, to: token, data }, "latest"] };
    const made = await run(request, { ...request, assume: { token: { [token]: { empty: "5" } } } });
    assert.deepEqual(pluck(made.cells, "ok"), [false, true]);
    assert.match(text(made), /ERC20InsufficientBalance[\s\S]*→ To see what would happen with enough, add `assume` to/);
    const poor = await run({ method: "eth_call", params: [{ from: empty, to: bob, value: "1 ether" }, "latest"] });
    assert.match(text(poor), /→ To see what would happen with enough, add `assume` to/);
  });

  it("changes the first block of a simulation", async () => {
    const { address: token } = counted.chain.contracts.token;
    const call = { from: empty, to: token, data: `0x70a08231${empty.slice(2).padStart(64, "0")}` };
    const made = await run({
      method: "eth_simulateV1",
      params: [{ blockStateCalls: [{ calls: [call] }, { calls: [call] }] }, "latest"],
      assume: { token: { [token]: { empty: "5" } }, time: "+1 day" },
    });
    const [first, second] = Object(answer(made).result);
    assert.equal(BigInt(first.calls[0].returnData), 5_000_000n);
    assert.equal(BigInt(second.calls[0].returnData), 5_000_000n);
    const now = Object(await counted.chain.rpc("eth_getBlockByNumber", ["latest", false]));
    assert.equal(BigInt(first.timestamp) - BigInt(now.timestamp), 86_400n);
  });

  it("has code, storage and a time of its own", async () => {
    const call = { method: "eth_call", params: [{ to: empty }, "latest"] };
    const made = await run(
      { ...call, assume: { code: { empty: timeCode }, time: "2040-01-01T00:00Z" } },
      { ...call, assume: { code: { empty: slotCode }, storage: { empty: { "0": true } } } },
      { ...call, assume: { code: { empty: timeCode }, time: "+2 hours" } },
    );
    const now = Object(await counted.chain.rpc("eth_getBlockByNumber", ["latest", false]));
    const results = made.cells.map((_, at) => BigInt(String(answer(made, at).result)));
    assert.deepEqual(results, [2_208_988_800n, 1n, BigInt(now.timestamp) + 7200n]);
  });

  it("keeps the overrides of the request, and does not override anything twice", async () => {
    const call = { method: "eth_call" };
    const overrides = { [empty]: { code: slotCode } };
    const made = await run(
      { ...call, params: [{ to: empty }, "latest", overrides], assume: { storage: { empty: { "0x0": 7 } } } },
      { ...call, params: [{ to: empty }, "latest", overrides], assume: { code: { empty: timeCode } } },
      {
        ...call,
        params: [
          { to: empty },
          "latest",
          { [empty]: { stateDiff: { [`0x${"0".repeat(64)}`]: `0x${"1".padStart(64, "0")}` } } },
        ],
        assume: { storage: { empty: { "0x0": 7 } } },
      },
      { ...call, params: [{ to: empty }, "latest", {}, { time: "0x1" }], assume: { time: "+1 day" } },
    );
    assert.equal(BigInt(String(answer(made).result)), 7n);
    const why = made.cells.slice(1).map(({ output }) => output.reports[0]?.summary);
    assert.deepEqual(why, [
      "not sent: The request overrides this too, in `stateOverrides.code`.",
      "not sent: The request overrides this too, in `stateOverrides.stateDiff`.",
      "not sent: The request overrides this too, in `blockOverrides.time`.",
    ]);
  });

  it("says what is wrong, and not what else it would ask for", async () => {
    const { address: token } = counted.chain.contracts.token;
    const assume = { token: { [token]: { "0x00000000000000000000000000000000000e1118": "5" } }, time: "+1 day" };
    const made = await run({ method: "eth_estimateGas", params: [{ to: token }, "latest"], assume });
    assert.match(text(made), /not sent: `eth_estimateGas` does not accept block overrides/);
    assert.match(text(made), /→ Use `eth_simulateV1` to assume a time/);
  });

  it("refuses what is not a contract, and amounts with more digits than the token", async () => {
    const { address: token } = counted.chain.contracts.token;
    const call = { method: "eth_call", params: [{ to: token }, "latest"] };
    const made = await run(
      { ...call, assume: { token: { empty: { bob: "1" } } } },
      { ...call, assume: { token: { [token]: { bob: "0.0000001" } } } },
      { ...call, assume: { token: { [token]: { nobody: "1" } } } },
    );
    assert.match(text(made, 0), /A balance of the token empty cannot be assumed: its address has no code/);
    assert.match(text(made, 1), /it has 7 digits after the point, and the token has 6/);
    assert.match(text(made, 2), /Unknown account `nobody`/);
  });

  for (const [how, reply] of [
    ["refuses", { error: { code: -32602, message: "too many arguments, want at most 2" } }],
    ["ignores", { result: "0x" }],
  ] as const)
    it(`names an endpoint that ${how} state overrides, and what to use`, async () => {
      await counted.replacing(({ params }) => (params[2] ? reply : { result: "0x01" }));
      const assume = [{ balance: { bob: "1 ether" } }, { token: { [alice]: { bob: "1" } } }];
      for (const assumed of assume) {
        const made = await run({ method: "eth_call", params: [{ to: bob }, "latest"], assume: assumed });
        assert.match(
          text(made),
          /127\.0\.0\.1:\d+ does not accept state overrides in `eth_call`\.\s+→ Use an endpoint of geth/,
        );
      }
    });

  it("says that the endpoint did not answer", async () => {
    await counted.proxy.close();
    const made = await run({
      method: "eth_call",
      params: [{ to: bob }, "latest"],
      assume: { balance: { bob: "1 ether" } },
    });
    assert.match(text(made), /The lookup for `assume` failed: /);
  });
});
