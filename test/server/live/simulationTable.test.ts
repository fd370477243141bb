import assert from "node:assert/strict";
import type { Devchain } from "../../../devchain/devchain.ts";
import { escaped } from "../../../server/src/base/markdown.ts";
import { grouped } from "../../../server/src/base/units.ts";
import { simulateWithFallback, simulationOf } from "../../../server/src/live/simulation.ts";
import { movements } from "../../../server/src/live/simulationMarkdown.ts";
import { createService, type Service } from "../../../server/src/service/service.ts";
import { some } from "../../support/depth.ts";
import { clientTo, testHost } from "../../support/host.ts";
import { sharedChain } from "../../support/sharedChain.ts";
import { type SimulationCase, simulationCases, type Told } from "./simulationCases.ts";

const uri = "file:///nowhere/a.rpc.json";
const { signal } = new AbortController();

/** The effect of a request, simulated or sent. */
type Effects = Readonly<Record<Told, unknown>>;

interface Log {
  readonly address: string;
  readonly topics: readonly string[];
  readonly data: string;
}

interface Receipt {
  readonly status: string;
  readonly gasUsed: string;
  readonly effectiveGasPrice: string;
  readonly contractAddress: string | null;
  readonly from: string;
  readonly blockNumber: string;
  readonly logs: readonly Log[];
}

interface Frame {
  readonly from: string;
  readonly to?: string;
  readonly output?: string;
  readonly calls?: readonly Frame[];
}

describe("a request that is tried and then sent", () => {
  const chain = sharedChain();
  let service: Service;
  before(async () => {
    service = createService(testHost({ settings: { rpcNotebook: { endpoint: chain.url } } }));
  });

  for (const one of some(simulationCases, 30)) {
    it(`does the same: ${one.name}`, async () => {
      for (const [method, ...params] of one.before ?? []) await chain.rpc(method, params);
      await chain.seal();
      const given = await paramOf(one, chain);
      const tried = await simulate(one, given, chain);
      const hash = await chain.rpc(one.method, [given]);
      await chain.seal();
      const done = await whatWasDone(String(hash), chain);
      const told = Object.keys(done) as readonly Told[]; // of an object with these keys
      const { what = [], why = "" } = one.differs ?? {};
      for (const name of told) {
        if (what.includes(name)) assert.notDeepEqual(tried[name], done[name], `${name} is the same, though ${why}`);
        else assert.deepEqual(tried[name], done[name], name);
      }
    });
  }

  async function paramOf({ given }: SimulationCase, { rpc, accounts }: Devchain): Promise<unknown> {
    if (typeof given !== "function") return given;
    const nonce = Number(await rpc("eth_getTransactionCount", [accounts.dave.address, "pending"]));
    const { baseFeePerGas } = (await rpc("eth_getBlockByNumber", ["latest", false])) as { baseFeePerGas: string };
    return given(nonce, BigInt(baseFeePerGas));
  }

  /** By the way that a hover goes, and as its text says it. */
  async function simulate({ method }: SimulationCase, given: unknown, { url }: Devchain): Promise<Effects> {
    const asker = clientTo(url);
    const params = JSON.parse(JSON.stringify([given]));
    const simulation = await simulationOf({ method, params });
    assert.ok(simulation);
    const { outcome, instead } = await simulateWithFallback(simulation, asker, signal);
    service.openText(uri, JSON.stringify({ method, params }));
    const shown = await service.liveHover(uri, 0, signal);
    if (instead !== undefined) return withoutSimulation(outcome, instead);
    assert.ok(outcome.kind === "answered", JSON.stringify(outcome));
    const { value } = outcome.result;
    const [block] = value as unknown as readonly { calls: readonly (Log & Receipt & { returnData: string })[] }[];
    const [call] = block?.calls ?? [];
    assert.ok(call);
    assert.ok(shown?.includes(`${escaped(grouped(BigInt(call.gasUsed)))} gas`), shown);
    const moved = movements(value);
    return {
      status: call.status,
      return: call.returnData,
      events: call.logs.filter(({ address }) => !/^0xe{40}$/.test(address)).map(logOf),
      gas: BigInt(call.gasUsed),
      native: sorted(moved.filter((one) => one.token === undefined).map((one) => `${one.address} ${one.change}`)),
      tokens: sorted(moved.flatMap((one) => (one.token ? [`${one.address} ${one.token} ${one.change}`] : []))),
    };
  }
});

function withoutSimulation(
  outcome: Awaited<ReturnType<typeof simulateWithFallback>>["outcome"],
  instead: string,
): Effects {
  const [, gas] = /says ([\d,]+) gas/.exec(instead) ?? [];
  const base = { events: [], native: [], tokens: [], gas: gas && BigInt(gas.replace(/,/g, "")) };
  if (outcome.kind === "answered") return { ...base, status: "0x1", return: outcome.result.value };
  assert.ok(outcome.kind === "refused");
  return { ...base, status: "0x0", return: outcome.revertData };
}

/** Read from the chain: the receipt, the trace, and the balances before and after. */
async function whatWasDone(hash: string, { rpc, contracts }: Devchain): Promise<Effects> {
  const receipt = (await rpc("eth_getTransactionReceipt", [hash])) as Receipt;
  const trace = (await rpc("debug_traceTransaction", [hash, { tracer: "callTracer" }])) as Frame;
  const number = BigInt(receipt.blockNumber);
  const tags = [number - 1n, number].map((at) => `0x${at.toString(16)}`);
  const changes = async (read: (tag: string) => Promise<unknown>): Promise<bigint> => {
    const [before = 0n, after = 0n] = (await Promise.all(tags.map(read))).map((one) => BigInt(String(one)));
    return after - before;
  };
  // whoever builds the block earns by it; that is no movement of the request
  const people = [...new Set([...addressesIn(trace), ...receipt.logs.flatMap(namedIn)])].filter(
    (address) => !/^0x0*$/.test(address),
  );
  const fee = BigInt(receipt.gasUsed) * BigInt(receipt.effectiveGasPrice);
  const native = await Promise.all(
    people.map(async (address) => {
      const change = await changes((tag) => rpc("eth_getBalance", [address, tag]));
      return { address, change: address === receipt.from ? change + fee : change };
    }),
  );
  const tokens = [contracts.token, contracts.proxiedToken].map(({ address }) => address.toLowerCase());
  const moved = await Promise.all(
    people.flatMap((address) =>
      tokens.map(async (to) => {
        const data = `0x70a08231${address.slice(2).padStart(64, "0")}`;
        return { address, token: to, change: await changes((tag) => rpc("eth_call", [{ to, data }, tag])) };
      }),
    ),
  );
  const created = receipt.contractAddress;
  const code = created && receipt.status === "0x1" ? await rpc("eth_getCode", [created, "latest"]) : undefined;
  return {
    status: receipt.status,
    return: code ?? trace.output ?? "0x",
    events: receipt.logs.map(logOf),
    gas: BigInt(receipt.gasUsed),
    native: sorted(native.flatMap(({ address, change }) => (change === 0n ? [] : [`${address} ${change}`]))),
    tokens: sorted(moved.flatMap((one) => (one.change === 0n ? [] : [`${one.address} ${one.token} ${one.change}`]))),
  };
}

function addressesIn({ from, to, calls = [] }: Frame): readonly string[] {
  return [from, ...(to ? [to] : []), ...calls.flatMap(addressesIn)].map((one) => one.toLowerCase());
}

function namedIn({ topics }: Log): readonly string[] {
  return topics.slice(1).flatMap((topic) => (/^0x0{24}[0-9a-f]{40}$/.test(topic) ? [`0x${topic.slice(26)}`] : []));
}

function logOf({ address, topics, data }: Log): Log {
  return { address, topics, data };
}

function sorted(lines: readonly string[]): readonly string[] {
  return [...lines].sort();
}
