import type { AbiScope } from "../abi/abiScope.ts";
import { quantity } from "../base/hex.ts";
import { isArray } from "../base/json.ts";
import { formatWei } from "../base/units.ts";
import type { EvaluatedRequest } from "../evaluate/evaluateRequest.ts";
import { reportOf } from "../report/reportOf.ts";
import type { Tokens } from "../report/tokens.ts";
import { explain } from "../rpc/explain.ts";
import type { Outcome } from "../rpc/outcome.ts";
import type { Watch, WatchReading } from "./pollScheduler.ts";

/** The balance of an account: pending, and how far that is from latest. */
export function balanceWatch(id: string, address: string): Watch {
  const question = (tag: string) => ({ method: "eth_getBalance", params: [address, tag] });
  return {
    id,
    questions: [question("pending"), question("latest")],
    sealed: [question("latest")],
    read([pending, latest]) {
      const [now, sealed] = [amountOf(pending), amountOf(latest)];
      if (now === undefined) return failedReading(pending, "eth_getBalance");
      const difference = sealed === undefined ? 0n : now - sealed;
      return {
        value: formatWei(now),
        ...(difference !== 0n && {
          detail: `${difference > 0n ? "+" : "−"}${formatWei(difference > 0n ? difference : -difference)} to latest`,
        }),
        ok: true,
        amount: now,
      };
    },
  };
}

/** What things are called in what a watch says. */
export interface WatchNaming {
  /** Of addresses, in lower case. */
  readonly names: ReadonlyMap<string, string>;
  readonly scope: AbiScope;
  readonly tokens: Tokens;
}

/** The result of a request that reads. */
export function requestWatch(
  id: string,
  { method, params: given, returns }: Pick<EvaluatedRequest, "method" | "params" | "returns">,
  { names: labels, scope, tokens }: WatchNaming,
): Watch {
  const params = isArray(given) ? given : [];
  return {
    id,
    questions: [{ method, params }],
    read([outcome]) {
      if (outcome?.kind !== "answered") return failedReading(outcome, method);
      const amount = amountOf(outcome);
      const { summary } = reportOf({ title: method, method, params, outcome, labels, returns, scope, tokens });
      return { value: summary, ok: true, ...(amount !== undefined && { amount }) };
    },
  };
}

function amountOf(outcome: Outcome | undefined): bigint | undefined {
  return outcome?.kind === "answered" ? quantity(outcome.result.value) : undefined;
}

function failedReading(outcome: Outcome | undefined, method: string): WatchReading {
  const why = outcome && outcome.kind !== "answered" ? explain(outcome, method).what : "No answer.";
  return { value: why, ok: false };
}

const bars = "▁▂▃▄▅▆▇█";

/** The course of some values in a line of bars; empty where they are all the same. */
export function sparkline(values: readonly bigint[]): string {
  const sorted = [...values].sort((a, b) => (a < b ? -1 : 1));
  const [least = 0n, most = 0n] = [sorted[0], sorted.at(-1)];
  if (most === least) return "";
  return values.map((value) => bars[Number(((value - least) * 7n) / (most - least))]).join("");
}
