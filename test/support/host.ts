import assert from "node:assert/strict";
import type { JsonValue } from "../../server/src/base/json.ts";
import { openMask } from "../../server/src/base/mask.ts";
import type { Consent } from "../../server/src/base/ports.ts";
import { readEndpoint } from "../../server/src/endpoints/endpoint.ts";
import { Approvals } from "../../server/src/gate/approvals.ts";
import { type BackgroundClient, openBackgroundClient } from "../../server/src/gate/backgroundClient.ts";
import { openGate } from "../../server/src/gate/gate.ts";

import { files } from "../../server/src/node/files.ts";
import { createSockets } from "../../server/src/node/socket.ts";
import { createTransport } from "../../server/src/node/transport.ts";
import { Replays } from "../../server/src/recording/replays.ts";
import type { CellResult } from "../../server/src/run/result/cellResult.ts";
import { createService, type Service } from "../../server/src/service/service.ts";
import type { Host, WorkspaceHost } from "../../server/src/workspace/host.ts";
import { unhurriedClock } from "./unhurriedClock.ts";

/** A person who says no, but allows methods that the catalogue does not know. */
export function person(over: Partial<Consent>): Consent {
  return {
    allowHost: async () => false,
    allowWrites: async () => false,
    allowMethods: async () => "once",
    allowCost: async () => false,
    ...over,
  };
}

/** A host with the real network, disk and clock, and no person to ask. */
export function testHost(over: Partial<Host> = {}): Host {
  return {
    transport: createTransport(() => ({}), {}),
    sockets: createSockets(() => ({}), {}),
    files,
    clock: unhurriedClock,
    consent: person({}),
    log: { info: () => {}, warn: () => {}, error: (message, cause) => assert.fail(`${message}: ${cause}`) },
    roots: [],
    trusted: true,
    settings: {},
    approvedHosts: [],
    changed: () => {},
    ...over,
  };
}

/** The same as the service's own parts get it: with a gate in place of what reaches the network. */
export function gatedHost(over: Partial<Host> = {}): WorkspaceHost {
  const { transport, sockets, ...host } = testHost(over);
  return { ...host, gate: openGate({ transport, sockets, clock: host.clock }, new Replays(host.clock, openMask())) };
}

/** A client that sends in the background to an address that a person typed. */
export function clientTo(url: string): BackgroundClient {
  const { endpoint } = readEndpoint("x", url);
  assert.ok(endpoint);
  const { clock, gate, ...host } = gatedHost();
  const mask = openMask();
  const resolved = { endpoint, chosenBy: "cli", why: "", origin: "", namedBy: "cli", values: [] } as const;
  const permit = new Approvals(host, mask).permit(resolved, "background");
  return openBackgroundClient(permit, {}, { clock, gate, memory: {}, mask });
}

export interface Run {
  readonly service: Service;
  /** In the order of the notebook. */
  readonly cells: readonly CellResult[];
  /** Ordinals, in the order in which they ended. */
  readonly ended: readonly number[];
  readonly started: readonly number[];
  /** The reported reasons why cells wait, in order. */
  readonly waits: readonly string[];
  readonly result: { readonly ok: number; readonly failed: number; readonly cancelled: boolean };
}

export interface RunSettings {
  readonly endpoint?: string;
  readonly cells?: readonly number[];
  readonly host?: Partial<Host>;
  readonly signal?: AbortSignal;
  readonly variables?: Readonly<Record<string, JsonValue>>;
}

const notebookUri = "file:///nowhere/a.rpc.json";

/** Runs a notebook written as text. Every cell that was planned must end, once. */
export async function runText(
  text: string,
  { endpoint, cells, host, signal = new AbortController().signal, variables = {} }: RunSettings,
): Promise<Run> {
  const service = createService(testHost(host));
  service.openText(notebookUri, text);
  const finished = new Map<number, CellResult>();
  const started: number[] = [];
  const waits: string[] = [];
  let planned: readonly number[] = [];
  const result = await service.run(
    {
      uri: notebookUri,
      ...(endpoint !== undefined && { endpoint }),
      ...(cells && { cells: cells.map((index) => ({ index })) }),
    },
    {
      planned: (indices) => {
        planned = indices;
      },
      waiting: ({ why }) => void waits.push(why),
      started: ({ cell }) => void started.push("index" in cell ? cell.index : -1),
      finished: (cell) => {
        assert.ok(!finished.has(cell.index), `cell ${cell.index} ended once`);
        finished.set(cell.index, cell);
      },
    },
    signal,
    new Map(Object.entries(variables)),
  );
  assert.deepEqual([...finished.keys()].sort(), [...planned].sort(), "every planned cell has ended");
  return {
    service,
    cells: planned.flatMap((index) => finished.get(index) ?? []),
    ended: [...finished.keys()],
    started,
    waits,
    result,
  };
}

/** Returns the first line of each cell's output. */
export function summaries({ cells }: Run): readonly string[] {
  return cells.map(({ ok, output }) => `${ok ? "✓" : "✗"} ${output.reports.map(({ summary }) => summary).join(" · ")}`);
}
