import { toQuantity } from "../base/hex.ts";
import type { JsonObject } from "../base/json.ts";
import { plural } from "../base/text.ts";
import { formatDuration, grouped } from "../base/units.ts";
import type { Report } from "./report.ts";

/** The state that answered a request with a block tag. */
export interface AnswerState {
  /** The blocks as requested: `pending`, `latest - 100 to latest`. */
  readonly asked: string;
  /** Number of the block that was `latest` then. */
  readonly head: bigint;
  /** Milliseconds since that block's time; `undefined` if it is unknown. */
  readonly ageMs: number | undefined;
  /** Number of the latest block when a slow answer arrived, if it was another one. */
  readonly after: bigint | undefined;
  /** The request used `pending`, which is ahead by measurement or by the endpoint's entry. */
  readonly preconfirmed: boolean;
  /** Number of the newest sealed block when an answer about `pending` came, if `pending` may be ahead of it. */
  readonly sealed: bigint | undefined;
  /** Blocks between heads that a single node cannot have shown: several nodes answer at the address. */
  readonly apart: bigint | undefined;
}

/** Adds the state that answered to a report, after the requested block. */
export function withState(report: Report, { head, ageMs, preconfirmed, after, apart }: AnswerState): Report {
  const moved = after === undefined ? "" : `, ${grouped(after)} when the answer had come`;
  const age = ageMs === undefined ? "" : `, ${formatDuration(ageMs)} old`;
  const nodes =
    apart === undefined ? [] : [{ name: "nodes", value: `several, whose heads are ${plural(apart, "block")} apart` }];
  const facts = [
    ...(preconfirmed ? [{ name: "state", value: "pre-confirmed" }] : []),
    { name: "head", value: `${grouped(head)}${age}${moved}` },
    ...nodes,
  ];
  const at = report.facts.findIndex(({ name }) => name === "block" || name === "blocks") + 1;
  return { ...report, facts: report.facts.toSpliced(at, 0, ...facts) };
}

/** Returns the same as JSON. */
export function stateJson({ asked, head, ageMs, preconfirmed, after, apart }: AnswerState): JsonObject {
  return {
    state: {
      asked,
      head: toQuantity(head),
      ...(ageMs !== undefined && { ageMs }),
      preconfirmed,
      ...(after !== undefined && { after: toQuantity(after) }),
      ...(apart !== undefined && { apart: toQuantity(apart) }),
    },
  };
}
