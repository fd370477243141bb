import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import type { WatchesChanged } from "../server/src/protocol/background.ts";
import { createService } from "../server/src/service/service.ts";
import { assumedHovers } from "./assumed.ts";
import { median, type Row, round } from "./row.ts";
import { benchHost } from "./support.ts";

const [alice, bob] = [
  "0x70997970C51812dc3A010C7d01b50e0d17dc79C8",
  "0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC",
] as const;
const uri = "file:///bench.sol";
const transactions = 20;
const watches = 200;
/** Milliseconds for which the CPU is measured; minutes with `LIVE_MINUTES`. */
const measured = Number(process.env.LIVE_MINUTES ?? 0.25) * 60_000;

/** Time from a transaction to its display, and the cost of watching. The embedded chain runs in other processes. */
export async function live(): Promise<readonly Row[]> {
  const chain = await chainApart();
  const host = benchHost();
  let ticked: (event: WatchesChanged) => void = () => {};
  const endpoints = { chain: { url: chain.url, preconfirmed: true } };
  const service = createService({
    ...host,
    settings: { rpcNotebook: { endpoint: "chain", endpoints } },
    watchesChanged: (event) => ticked(event),
  });
  const signal = new AbortController().signal;
  const hover = async (): Promise<string> =>
    (await service.addressHover({ uri, text: bob, offset: 3 }, signal))?.markdown ?? "";
  const pay = async (): Promise<void> => {
    const transaction = { from: alice, to: bob, value: "0x16345785d8a0000" };
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "eth_sendTransaction", params: [transaction] });
    await fetch(chain.url, { method: "POST", headers: { "content-type": "application/json" }, body });
  };
  try {
    const hovered: number[] = [];
    for (let turn = 0; turn < transactions; turn++) {
      const before = balanceIn(await hover());
      const begun = performance.now();
      await pay();
      while (balanceIn(await hover()) === before);
      hovered.push(performance.now() - begun);
    }
    const seen: number[] = [];
    let shown: string | undefined;
    await service.watch({ id: "bob", uri, address: bob });
    for (let turn = 0; turn < transactions; turn++) {
      let change: () => void = () => {};
      const changed = new Promise<void>((resolve) => (change = resolve));
      ticked = ({ changed: [bobs] }) => {
        if (bobs && bobs.value !== shown) change(); // a new block changes only the text next to the value
        shown = bobs?.value ?? shown;
      };
      const begun = performance.now();
      await pay();
      await changed;
      seen.push(performance.now() - begun);
    }
    for (let at = 0; at < watches - 1; at++)
      await service.watch({ id: String(at), uri, address: `0x${at.toString(16).padStart(40, "1")}` });
    const assumed = await assumedHovers(chain.url);
    globalThis.gc?.();
    const [cpu, memory, ticks] = [process.cpuUsage(), process.memoryUsage().heapUsed, { count: 0 }];
    ticked = () => ticks.count++;
    await host.clock.sleep(measured, signal);
    const { user, system } = process.cpuUsage(cpu);
    globalThis.gc?.();
    const grown = (process.memoryUsage().heapUsed - memory) / 1e6;
    const share = ((user + system) / 1000 / measured) * 100;
    return [
      ...assumed,
      {
        area: "live",
        name: "transaction → pending balance in the hover",
        value: round(median(hovered)),
        unit: "ms",
        budget: 500,
        baseline: `median of ${transactions}`,
      },
      {
        area: "live",
        name: "transaction → pending balance in the live view",
        value: round(median(seen)),
        unit: "ms",
        budget: 500,
        baseline: `median of ${transactions}`,
      },
      {
        area: "live",
        name: `CPU while ${watches} addresses are watched, of one core`,
        value: round(share),
        unit: "%",
        budget: 10,
        baseline: `${round((user + system) / 1000 / ticks.count)} ms of CPU in each of ${ticks.count} ticks, one every ${round(measured / ticks.count)} ms`,
      },
      { area: "live", name: "  memory that grew in that time", value: round(grown), unit: "MB" },
    ];
  } finally {
    service.showWatches(false);
    await host.close();
    chain.process.kill();
  }
}

/** Starts the chain in another process, so that its cost is not part of the measurement. */
async function chainApart(): Promise<{ readonly url: string; readonly process: ChildProcess }> {
  const options = ["--port", "0", "--no-traffic", "--quiet"];
  const process = spawn(globalThis.process.execPath, ["scripts/devchain.mjs", ...options], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [url] = await once(process.stdout, "data");
  return { url: String(url).trim(), process };
}

function balanceIn(markdown: string): string | undefined {
  return /\*\*(.*?)\*\*/.exec(markdown)?.[1];
}
