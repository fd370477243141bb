import type { Transport } from "../server/src/base/ports.ts";
import { createService } from "../server/src/service/service.ts";
import { median, type Row, round } from "./row.ts";
import { benchHost } from "./support.ts";

const [alice, token] = [
  "0x70997970C51812dc3A010C7d01b50e0d17dc79C8",
  "0x5FbDB2315678afecb367f032d93F642f64180aa3",
] as const;
const hovers = 30;
const method = '"method": "eth_';

/**
 * The time of our own in the hover of a simulation that assumes a balance, when the layout of the token is known: all
 * but the wait for the endpoint.
 *
 * @param url - Of the embedded chain.
 */
export async function assumedHovers(url: string): Promise<readonly Row[]> {
  const host = benchHost();
  let [waited, messages] = [0, 0];
  const transport: Transport = {
    async post(request, signal) {
      const begun = performance.now();
      const response = await host.transport.post(request, signal);
      waited += performance.now() - begun;
      messages++;
      return response;
    },
  };
  const service = createService({ ...host, transport, settings: { rpcNotebook: { endpoint: url } } });
  const signal = new AbortController().signal;
  const own: number[] = [];
  const counts: number[] = [];
  for (let turn = 0; turn <= hovers; turn++) {
    const uri = `file:///nowhere/${turn}.rpc.json`;
    const text = notebook(turn + 1);
    service.openText(uri, text);
    await service.settled(uri);
    [waited, messages] = [0, 0];
    const begun = performance.now();
    const shown = await service.liveHover(uri, text.indexOf(method) + method.length, signal);
    const total = performance.now() - begun;
    if (!shown?.includes("Simulated")) throw new Error("The hover shows no simulation.");
    service.close(uri);
    if (turn === 0) continue; // finds the layout
    own.push(total - waited);
    counts.push(messages);
  }
  await host.close();
  return [
    {
      area: "live",
      name: "hover of a simulation with assume, without the wait for the endpoint",
      value: round(median(own)),
      unit: "ms",
      budget: 5,
      baseline: `median of ${hovers}, ${Math.max(...counts)} message each`,
    },
  ];
}

/** A notebook with a request that assumes an amount. */
function notebook(amount: number): string {
  const data = { function: "transfer(address,uint256) returns (bool)", args: [alice, "1"] };
  const params = JSON.stringify([{ from: alice, to: token, data }, "latest"]);
  return `{ "labels": { "${alice}": "alice" }, "cells": [{ "method": "eth_call", "params": ${params}, "assume": { "token": { "${token}": { "alice": "${amount}" } } } }] }`;
}
