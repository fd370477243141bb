import assert from "node:assert/strict";
import fc from "fast-check";
import { toFunctionSelector, toHex } from "viem";
import type { Devchain } from "../../devchain/devchain.ts";
import type { CellResult } from "../../server/src/run/result/cellResult.ts";
import { createService } from "../../server/src/service/service.ts";
import { countedChain } from "../support/countedChain.ts";
import { unserved } from "../support/countingProxy.ts";
import { some, times } from "../support/depth.ts";
import { type Run, runText, testHost } from "../support/host.ts";
import { pluck } from "../support/pluck.ts";
import { type Token, tokens } from "./tokens/tokens.ts";

const fixtures = tokens();

const alice = "0x70997970c51812dc3a010c7d01b50e0d17dc79c8";
const router = "0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc";

/** What comes of a balance and of an allowance: `yes`, or a part of the reason why it cannot be assumed. */
type Expected = readonly [balance: string, allowance: string];
const calculated = "is calculated from what is stored";

/** Those that differ from `yes` and `yes`. */
const expected: Readonly<Record<string, Expected>> = {
  SharesTimesIndex: [calculated, "yes"],
  GonsDivided: [calculated, "yes"],
  ScaledByIndex: [calculated, "yes"],
  RebasingAtOne: [calculated, "yes"],
  ShareBased: [calculated, "yes"],
  Accruing: [calculated, "yes"],
  Reflection: [calculated, "yes"],
  GreaterOfTwo: ["two places of its storage fit", "yes"],
  GreaterOfHidden: ["two places of its storage fit", "yes"],
  ByParity: ["yes", "it is not a token"],
  AlwaysAllowed: ["yes", "none of the known storage layouts fits"],
  NoToken: ["it is not a token", "it is not a token"],
  Proxy: ["a proxy without an implementation", "a proxy without an implementation"],
};

const unknown = "none of the known storage layouts fits, and the endpoint does not serve `eth_createAccessList`";

/** Without `eth_createAccessList`, layouts that no formula gives are not found. */
const expectedWithoutAccessList: Readonly<Record<string, Expected>> = {
  ...expected,
  DiamondStorage: [unknown, unknown],
  ExternalStorage: [unknown, unknown],
  "solidstate-0.0.59": [unknown, unknown],
  PackedHigh: [unknown, "yes"],
  GreaterOfHidden: [unknown, "yes"],
  GonsDivided: [unknown, "yes"],
  Reflection: ["does not depend on what is stored", "yes"],
};

/** The first one is found with an access list only. */
const chosen = Object.entries({
  DiamondStorage: fixture("DiamondStorage"),
  ...Object.fromEntries(some(Object.entries(fixtures), 10)),
});

describe("assumed balances and allowances of tokens", function () {
  this.timeout(300_000);
  const counted = countedChain();

  for (const hasAccessList of [true, false]) {
    for (const [name, fixture] of chosen) {
      it(`${name}${hasAccessList ? "" : ", without eth_createAccessList"}`, async () => {
        if (!hasAccessList)
          await counted.replacing(({ method }) => (method === "eth_createAccessList" ? unserved(method) : undefined));
        const token = await deployed(fixture, counted.chain);
        const run = await runText(notebook(token), { endpoint: counted.proxy.url });
        const table = hasAccessList ? expected : expectedWithoutAccessList;
        for (const [at, wanted] of (table[name] ?? ["yes", "yes"]).entries()) check(run, at, wanted);
        assert.ok(counted.proxy.bodies.length <= 3, `${counted.proxy.bodies.length} messages`);
      });
    }
  }

  it("asks in three messages the first time, and then sends the request alone", async () => {
    const { service, run } = notebookOf(await deployed(fixture("Weth9Like"), counted.chain));
    await run(counted.proxy.url);
    assert.deepEqual(
      counted.proxy.methods().map((methods) => methods.includes("eth_createAccessList")),
      [true, false, false],
    );
    const before = counted.proxy.bodies.length;
    await run(counted.proxy.url);
    assert.deepEqual(counted.proxy.methods().slice(before), [
      ["eth_getBlockByNumber", "eth_call", "eth_call", "eth_call", "eth_call"],
    ]);
    assert.doesNotMatch(counted.proxy.bodies.join(""), /assume/);
    service.close(uri);
  });

  it("reads the balance back in the block that is simulated", async () => {
    const token = await deployed(fixture("ByParity"), counted.chain);
    const data = `0x70a08231${word(alice)}`;
    const assume = { token: { [token]: { [alice]: "12.34" } } };
    const blocks = [{ blockStateCalls: [{ calls: [{ to: token, data }] }] }, "latest"];
    const number = BigInt(String(await counted.chain.rpc("eth_blockNumber", [])));
    const at = (block: bigint) => ({
      method: "eth_call",
      params: [{ to: token, data }, "latest", {}, { number: toHex(block) }],
      assume,
    });
    const cells = [{ method: "eth_simulateV1", params: blocks, assume }, at(number + 1n), at(number)];
    const run = await runText(JSON.stringify(cells), { endpoint: counted.proxy.url });
    const [simulated, next, same] = run.cells.map(({ output }) => output.text);
    assert.match(simulated ?? "", /Not simulated as assumed.*in the block that is simulated/);
    assert.match(next ?? "", /Not simulated as assumed/);
    assert.match(same ?? "", /1,234|12\.34/);
  });

  it("gives what was assumed or a reason, never another number", async () => {
    const all = Object.entries(fixtures);
    const odd = all.filter(([name]) => /^GreaterOf|^ByParity/.test(name));
    const addresses = new Map<string, string>();
    const asked = fc.record({
      token: fc.oneof(fc.constantFrom(...all), fc.constantFrom(...odd)),
      amount: fc.bigInt({ min: 1n, max: 2n ** 95n }),
      isAllowance: fc.boolean(),
      isSimulated: fc.boolean(),
      seals: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(asked, async ({ token: [name, code], amount, isAllowance, isSimulated, seals }) => {
        const token = addresses.get(name) ?? (await deployed(code, counted.chain));
        addresses.set(name, token);
        if (seals) await counted.chain.seal();
        const data = isAllowance ? `0xdd62ed3e${word(alice)}${word(router)}` : `0x70a08231${word(alice)}`;
        const assume = isAllowance
          ? { allowance: { [token]: { [alice]: { [router]: String(amount) } } } }
          : { token: { [token]: { [alice]: String(amount) } } };
        const call = { to: token, data };
        const cell = isSimulated
          ? { method: "eth_simulateV1", params: [{ blockStateCalls: [{ calls: [call] }] }, "latest"], assume }
          : { method: "eth_call", params: [call, "latest"], assume };
        const text = JSON.stringify({ tokens: { [token]: { symbol: "T", decimals: 0 } }, cells: [cell] });
        const { cells } = await runText(text, { endpoint: counted.proxy.url });
        const { result } = Object(cells[0]?.answers()[0]);
        const returned = isSimulated ? result?.[0]?.calls[0].returnData : result;
        const wanted = expected[name]?.[Number(isAllowance)] ?? "yes";
        if (cells[0]?.ok) assert.deepEqual([BigInt(returned), wanted], [amount, "yes"], name);
        else {
          assert.ok(wanted !== "yes" || name === "ByParity", `${name}: ${cells[0]?.output.text}`);
          assert.ok(cells[0]?.output.text.includes(wanted === "yes" ? "Not simulated as assumed" : wanted), name);
        }
      }),
      { numRuns: times(200, 30) },
    );
  });

  it("notices that another contract is at the address now, and finds its layout in the next run", async () => {
    const token = await deployed(fixture("DaiLike"), counted.chain);
    const { run } = notebookOf(token);
    await run(counted.proxy.url);
    const code = await counted.chain.rpc("eth_getCode", [
      await deployed(fixture("Weth9Like"), counted.chain),
      "latest",
    ]);
    await counted.chain.rpc("anvil_setCode", [token, code]);
    await assert.rejects(run(counted.proxy.url), /2 == 0|2 !== 0/);
    await run(counted.proxy.url);
  });

  it("keeps the other bits of a word: the blacklist of USDC, a nonce below a balance", async () => {
    const usdc = await deployed({ ...fixture("FiatTokenLike"), proxied: true }, counted.chain);
    await send(counted.chain, usdc, `0xf9f92be4${word(alice)}`);
    const packed = await deployed(fixture("PackedHigh"), counted.chain);
    await send(counted.chain, packed, `0x${selector("touch(address)")}${word(alice)}`);
    const text = JSON.stringify([
      asking(usdc, `0xfe575a87${word(alice)}`, { token: { [usdc]: { [alice]: "1000" } } }),
      asking(packed, `0x${selector("nonceOf(address)")}${word(alice)}`, { token: { [packed]: { [alice]: "1" } } }),
    ]);
    const { cells } = await runText(text, { endpoint: counted.proxy.url });
    const [blacklisted, nonce] = cells.map((cell) => Reflect.get(Object(cell.answers()[0]), "result"));
    assert.equal(BigInt(blacklisted), 1n);
    assert.equal(nonce, `0x${"7".padStart(64, "0")}${"1".padStart(64, "0")}`);
  });

  it("takes the other bits from the block of the request, and notices that they have changed since", async () => {
    const packed = await deployed(fixture("PackedHigh"), counted.chain);
    const block = await counted.chain.rpc("eth_blockNumber", []);
    const nonceOf = `0x${selector("nonceOf(address)")}${word(alice)}`;
    const assume = { token: { [packed]: { [alice]: "1" } } };
    const at = (tag: unknown) => ({
      ...Object(asking(packed, nonceOf, assume)),
      params: [{ to: packed, data: nonceOf }, tag],
    });
    const service = createService(testHost());
    service.openText(uri, JSON.stringify([at("latest"), at(block)]));
    const run = async (): Promise<readonly string[]> => {
      const said = new Map<unknown, string>();
      const finished = (one: CellResult) => {
        const { result, request } = Object(one.answers()[0]);
        const summary = one.output.reports[0]?.summary ?? "";
        said.set(request.params[1], typeof result === "string" ? String(BigInt(result.slice(0, 66))) : summary);
      };
      await service.run({ uri, endpoint: counted.proxy.url }, { started: () => {}, finished }, never);
      return ["latest", block].map((tag) => said.get(tag) ?? "");
    };
    assert.deepEqual(await run(), ["0", "0"]);
    await send(counted.chain, packed, `0x${selector("touch(address)")}${word(alice)}`);
    const [changed, unchanged] = await run();
    assert.match(changed ?? "", /Not simulated as assumed: .*\. The rest of its word of storage has ch/);
    assert.equal(unchanged, "0");
    assert.deepEqual(await run(), ["7", "0"]);
    service.close(uri);
  });

  it("verifies every account: a formula that holds for one may not hold for another", async () => {
    const token = await deployed(fixture("Reflection"), counted.chain);
    await send(counted.chain, token, `0x${selector("exclude(address)")}${word(router)}`);
    const text = JSON.stringify([
      asking(token, `0x70a08231${word(router)}`, { token: { [token]: { [router]: "1" } } }),
      asking(token, `0x70a08231${word(alice)}`, { token: { [token]: { [alice]: "1" } } }),
    ]);
    const { cells } = await runText(text, { endpoint: counted.proxy.url });
    assert.deepEqual(pluck(cells, "ok"), [true, false]);
  });
});

function fixture(name: string): Token {
  const found = fixtures[name];
  assert.ok(found, name);
  return found;
}

const uri = "file:///nowhere/a.rpc.json";

/** A notebook that stays open between runs. */
function notebookOf(token: string) {
  const service = createService(testHost());
  service.openText(uri, notebook(token));
  const run = async (endpoint: string): Promise<void> => {
    const { failed } = await service.run({ uri, endpoint }, { started: () => {}, finished: () => {} }, never);
    assert.equal(failed, 0);
  };
  return { service, run };
}

const never = new AbortController().signal;

function selector(signature: string): string {
  return toFunctionSelector(signature).slice(2);
}

function word(address: string): string {
  return address.slice(2).padStart(64, "0");
}

/** Alice has 1,234 of the smallest unit, and lets the router spend as much. */
function check(run: Run, at: number, wanted: string): void {
  const summary = run.cells[at]?.output.reports[0]?.summary ?? "";
  if (wanted !== "yes") assert.ok(summary.includes(wanted), summary);
  else assert.equal(BigInt(Object(run.cells[at]?.answers()[0]).result), 1234n, summary);
}

function asking(token: string, data: string, assumed: unknown): unknown {
  return { method: "eth_call", params: [{ to: token, data }, "latest"], assume: assumed };
}

function notebook(token: string): string {
  return JSON.stringify({
    labels: { [alice]: "alice", [router]: "router" },
    tokens: { [token]: { symbol: "T", decimals: 2 } },
    cells: [
      asking(token, `0x70a08231${word(alice)}`, { token: { [token]: { alice: "12.34" } } }),
      asking(token, `0xdd62ed3e${word(alice)}${word(router)}`, { allowance: { T: { alice: { router: "12.34" } } } }),
    ],
  });
}

async function deployed({ code, proxied }: Token, chain: Devchain): Promise<string> {
  const isProxy = code === fixtures.Proxy?.code;
  const own = await create(isProxy ? `${code}${"0".repeat(64)}` : code, chain);
  if (!proxied) return own;
  return create(`${fixtures.Proxy?.code}${own.slice(2).padStart(64, "0")}`, chain);
}

async function create(data: string, chain: Devchain): Promise<string> {
  return (await send(chain, undefined, data)).toLowerCase();
}

/** Sends a transaction, and returns the contract that it made. */
async function send(chain: Devchain, to: string | undefined, data: string): Promise<string> {
  const { address: from } = chain.accounts.deployer;
  const hash = await chain.rpc("eth_sendTransaction", [{ from, ...(to && { to }), data, gas: "0x5b8d80" }]);
  await chain.seal();
  const receipt = Object(await chain.rpc("eth_getTransactionReceipt", [hash]));
  assert.equal(receipt.status, "0x1");
  return String(receipt.contractAddress);
}
