import type { AbiScope } from "../abi/abiScope.ts";
import { quantity } from "../base/hex.ts";
import { isArray } from "../base/json.ts";
import { formatWei, roundedWei } from "../base/units.ts";
import type { EvaluatedRequest } from "../evaluate/evaluateRequest.ts";
import type { Question } from "../gate/backgroundClient.ts";
import { reportOf } from "../report/reportOf.ts";
import type { Tokens } from "../report/tokens.ts";
import { explain } from "../rpc/explain.ts";
import type { Outcome } from "../rpc/outcome.ts";

/** Something that is polled: its questions, and how to read the answers. */
export interface Watch {
  readonly id: string;
  readonly questions: readonly Question[];
  /** Sent instead while `pending` is not ahead of `latest`. */
  readonly sealed?: readonly Question[];
  /** @param outcomes - Of the questions, in order. */
  read(outcomes: readonly Outcome[]): WatchValue;
}

/** The value of a watch at one moment. */
export interface WatchValue {
  /** Plain text, safe to show; an amount in six digits. */
  readonly value: string;
  /** The same without rounding; absent if `value` is exact. */
  readonly exact?: string;
  /** The difference to `latest`, to show beside the value. */
  readonly detail?: string;
  readonly ok: boolean;
  /** For the sparkline; absent if the value is not a number. */
  readonly amount?: bigint;
}

/** Watches the balance of an account: at `pending`, and the difference to `latest`. */
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
      const size = difference < 0n ? -difference : difference;
      const rounded = roundedWei(now);
      return {
        value: rounded ?? formatWei(now),
        ...(rounded !== undefined && { exact: formatWei(now) }),
        ...(size > 0n && {
          detail: `${difference > 0n ? "+" : "−"}${roundedWei(size) ?? formatWei(size)} since latest`,
        }),
        ok: true,
        amount: now,
      };
    },
  };
}

/** Names for the values of a watch. */
export interface WatchNaming {
  /** Names of addresses, by the address in lower case. */
  readonly names: ReadonlyMap<string, string>;
  readonly scope: AbiScope;
  readonly tokens: Tokens;
}

/** Watches the result of a request that reads. */
export function requestWatch(
  id: string,
  { method, params: written, returns }: EvaluatedRequest,
  { names: labels, scope, tokens }: WatchNaming,
): Watch {
  const params = isArray(written) ? written : [];
  return {
    id,
    questions: [{ method, params }],
    read([outcome]) {
      if (outcome?.kind !== "answered") return failedReading(outcome, method);
      const amount = amountOf(outcome);
      const { summary, headline } = reportOf({
        title: method,
        method,
        params,
        outcome,
        labels,
        returns,
        scope,
        tokens,
      });
      const [answer] = headline ?? [];
      const shown = answer?.exact === undefined ? { value: summary } : { value: answer.text, exact: summary };
      return { ...shown, ok: true, ...(amount !== undefined && { amount }) };
    },
  };
}

function amountOf(outcome: Outcome | undefined): bigint | undefined {
  return outcome?.kind === "answered" ? quantity(outcome.result.value) : undefined;
}

function failedReading(outcome: Outcome | undefined, method: string): WatchValue {
  const why = outcome && outcome.kind !== "answered" ? explain(outcome, method).what : "No answer.";
  return { value: why, ok: false };
}
