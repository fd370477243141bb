import type { JsonValue } from "../../../server/src/base/json.ts";
import { clock } from "../../../server/src/node/environment.ts";
import type { RowsParams, RowsResult } from "../../../server/src/protocol/runs.ts";
import type { Report } from "../../../server/src/report/report.ts";
import { reportOf } from "../../../server/src/report/reportOf.ts";
import { RowStore } from "../../../server/src/run/result/rowStore.ts";
import { answered, topic, transferTopic } from "../../server/report/outcomes.ts";

const approvalTopic = "0x8c5be1e5ebec7d5bd14f71427d1e84f3dd0314c0f7b2291e5b200ac8c7c3b925";
const token = `0x${"5f".repeat(20)}`;

function hex(value: number, digits: number): string {
  return `0x${value.toString(16).padStart(digits, "0")}`;
}

/** Logs in the order of the chain: every fifth is an approval, the others are transfers. */
export function manyLogs(count: number): readonly JsonValue[] {
  return Array.from({ length: count }, (_, at) => ({
    address: token,
    topics: [
      at % 5 === 4 ? approvalTopic : transferTopic,
      topic(hex((at * 7919) % 999983, 40)),
      topic(hex(at % 97, 40)),
    ],
    data: hex((at * 7919) % 100_003, 64),
    blockNumber: hex(1000 + Math.floor(at / 20), 1),
    blockHash: hex(1 + Math.floor(at / 20), 64),
    transactionHash: hex(1 + at, 64),
    logIndex: hex(at % 20, 1),
  }));
}

/** A report on logs as an editor gets it, and the rows of the server behind it. */
export function reportOnLogs(logs: readonly JsonValue[]): {
  readonly report: Report;
  readonly rows: (params: RowsParams) => Promise<RowsResult>;
} {
  const store = new RowStore(clock);
  const report = reportOf({ title: "logs", method: "eth_getLogs", params: [], outcome: answered(logs, "[]") });
  const output = { ok: true, reports: [report], text: "", json: "", startedAt: 0, durationMs: 0 };
  const [kept = report] = store.keep("file:///a.rpc.json", "a", output, { size: 1 }).reports;
  return { report: kept, rows: (params) => store.page(params, new AbortController().signal) };
}
