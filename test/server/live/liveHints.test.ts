import assert from "node:assert/strict";
import { call } from "../../../devchain/contracts.ts";
import { createService, type Service } from "../../../server/src/service/service.ts";
import type { Host } from "../../../server/src/workspace/host.ts";
import { type CountingProxy, countingProxy, replacing, unserved } from "../../support/countingProxy.ts";
import { fastClock } from "../../support/fastClock.ts";
import { testHost } from "../../support/host.ts";
import { patientClock } from "../../support/patientClock.ts";
import { sharedChain } from "../../support/sharedChain.ts";

const uri = "file:///nowhere/a.rpc.json";
const [alice, bob] = ["0x70997970C51812dc3A010C7d01b50e0d17dc79C8", "0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC"];
const signal = new AbortController().signal;

describe("live hints", () => {
  const chain = sharedChain();
  let proxy: CountingProxy;
  let service: Service;
  let wake: () => void;
  beforeEach(async () => {
    proxy = await countingProxy(chain.url);
    wake = () => {};
  });
  afterEach(async () => {
    service.close(uri);
    await proxy.close();
  });

  const open = async (
    cells: readonly object[],
    liveHints: "off" | "on" | "always",
    { endpoint = {}, ...over }: Partial<Host> & { readonly endpoint?: object } = {},
  ): Promise<void> => {
    const endpoints = { chain: { url: proxy.url, preconfirmed: true, ...endpoint } };
    const settings = { rpcNotebook: { endpoint: "chain", endpoints, liveHints } };
    service = createService(testHost({ settings, hinted: () => wake(), clock: fastClock(10), ...over }));
    service.openText(uri, textOf(cells));
    await service.settled(uri);
  };
  const textOf = (cells: readonly object[]): string => JSON.stringify(cells, null, 2);
  const live = (): readonly string[] =>
    service
      .inlayHints(uri, { start: 0, end: 1_000_000 })
      .filter(({ kind }) => kind === "live")
      .map(({ label }) => label);
  const until = async (holds: () => boolean): Promise<void> => {
    while (!holds()) await new Promise<void>((resolve) => (wake = resolve));
  };
  const run = () => service.run({ uri }, { started() {}, finished() {} }, signal);
  /** Those sent since the run; its own are others. */
  let sent = 0;
  const runFirst = async (): Promise<void> => {
    await run();
    sent = proxy.bodies.length;
  };

  /** Opens a notebook and runs it once, until there are so many hints. */
  const shown = async (count: number, ...opened: Parameters<typeof open>): Promise<void> => {
    await open(...opened);
    await runFirst();
    await until(() => live().length === count);
  };

  const balance = (block: string) => ({ method: "eth_getBalance", params: [alice, block] });
  const transfer = (amount: bigint) => {
    const { from, to, data } = call(chain.accounts.deployer.address, "token", "transfer", [bob, amount]);
    return { method: "eth_call", params: [{ from, to, data }, "pending"] };
  };

  it("show the results of requests, by one body a tick, and change with the chain", async () => {
    await open([balance("pending"), transfer(5n), { method: "eth_chainId" }, balance("0x1")], "on");
    await runFirst();
    assert.deepEqual(live(), []);
    await until(() => live().length === 2);
    const [before = "", simulated] = live();
    assert.match(before, /^now: [\d.,]+ ether/);
    assert.match(simulated ?? "", /^simulated: true, [\d,]+ gas$/);
    const bodies = proxy.methods().slice(sent);
    assert.ok(bodies.some((methods) => methods.join() === "eth_blockNumber,eth_getBalance,eth_simulateV1"));
    assert.ok(bodies.every(([first]) => first === "eth_blockNumber"));
    await chain.rpc("eth_sendTransaction", [{ from: alice, to: bob, value: "0xde0b6b3a7640000" }]);
    await until(() => live()[0] !== before);
  });

  it("say amounts in the unit of their token", async () => {
    const { to, data } = call(chain.accounts.alice.address, "token", "balanceOf", [bob]);
    await shown(1, [{ method: "eth_call", params: [{ to, data }, "pending"] }], "on");
    assert.match(live()[0] ?? "", /^simulated: [\d.,]+ DUSD, /);
  });

  it("say why a request would fail", async () => {
    await shown(1, [transfer(10n ** 30n)], "on");
    assert.match(live()[0] ?? "", /^simulated: reverted: ERC20InsufficientBalance/);
  });

  it("follow the request as it is typed, and ask when the typing rests", async () => {
    await shown(1, [transfer(5n)], "on");
    for (const amount of [6n, 7n, 10n ** 30n]) {
      service.changeText(uri, textOf([transfer(amount)]));
      live();
    }
    await until(() => live().some((label) => label.includes("reverted")));
    const amounts = proxy.bodies.slice(sent).filter((body) => body.includes("0000000000000006"));
    assert.deepEqual(amounts, [], "what was typed in between is not asked");
  });

  it("follow the notebook to another endpoint", async () => {
    await shown(2, [balance("pending"), { ...balance("pending"), endpoint: "chain" }], "on");
    const other = await countingProxy(chain.url);
    service.pickEndpoint(uri, other.url);
    assert.equal(live().length, 1, "what the first endpoint said is gone, but for the cell that goes there still");
    await until(() => live().length === 2);
    assert.deepEqual(other.methods()[0], ["eth_blockNumber", "eth_getBalance"]);
    await other.close();
  });

  it("fall back without eth_simulateV1", async () => {
    await proxy.close();
    const refusing = replacing(chain.url, ({ method }) => (method === "eth_simulateV1" ? unserved(method) : undefined));
    proxy = await countingProxy(chain.url, refusing);
    await open([transfer(5n)], "on");
    await runFirst();
    await until(() => live().includes("simulated: true"));
  });

  for (const [why, mode, over] of [
    ["where nobody has asked for it", "off", {}],
    ["at an endpoint with a rate", "on", { endpoint: { rate: 100 } }],
  ] as const)
    it(`are none ${why}`, async () => {
      await open([balance("pending")], mode, { ...over, clock: patientClock() });
      await runFirst();
      live();
      await run();
      assert.deepEqual(live(), []);
      await run();
      assert.equal(proxy.bodies.length, 3 * sent, "only the runs have sent something");
    });

  it("are shown at an endpoint with a rate if the settings say always", async () => {
    await shown(1, [balance("pending")], "always", { endpoint: { rate: 100 } });
  });

  it("ask nothing because a file was opened", async () => {
    await open([balance("pending")], "always", { clock: patientClock() });
    for (let time = 0; time < 2; time++) {
      assert.deepEqual(live(), []);
      await chain.rpc("eth_chainId");
    }
    assert.equal(proxy.bodies.length, 0);
  });

  it("end when no editor asks for them any more", async () => {
    const clock = fastClock(10);
    await shown(1, [balance("pending")], "on", { clock });
    clock.skip(60_000);
    await new Promise<void>((resolve) => (wake = resolve)); // a tick
    assert.deepEqual(live(), []);
  });
});
