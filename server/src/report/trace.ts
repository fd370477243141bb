import { decodeRevert, revertReason } from "../abi/decodeRevert.ts";
import { quantity } from "../base/hex.ts";
import type { JsonObject, JsonValue } from "../base/json.ts";
import { isArray, isObject } from "../base/json.ts";
import { oneLine } from "../base/text.ts";
import { callShown } from "./call.ts";
import { codeShown, creationShown } from "./code.ts";
import type { Section, Shown } from "./report.ts";
import { returnedShown } from "./returnData.ts";
import { addressShown, labelled, quantityShown } from "./shown.ts";
import type { Cells } from "./table.ts";
import { filled, maxRows, nothing, table } from "./table.ts";
import type { ViewContext } from "./view.ts";

/** A call of a trace, whichever way the node writes it. */
interface TracedCall {
  /** How many calls it is in. */
  readonly depth: number;
  readonly kind: JsonValue | undefined;
  readonly from: JsonValue | undefined;
  readonly to: JsonValue | undefined;
  readonly value: JsonValue | undefined;
  readonly gasUsed: JsonValue | undefined;
  readonly input: JsonValue | undefined;
  readonly output: JsonValue | undefined;
  readonly error: JsonValue | undefined;
}

/** Calls as a tree: each line is a call, indented by its depth. */
export function traceSections(traces: readonly JsonValue[], context: ViewContext): readonly Section[] {
  const calls: TracedCall[] = [];
  let total = 0;
  for (const call of tracedCalls(traces)) {
    total++;
    if (calls.length < maxRows) calls.push(call);
  }
  if (total === 0) return [];
  const { labels } = context;
  const columns: readonly Cells<TracedCall>[] = [
    { name: "Call", of: (call) => actionShown(call, context) },
    { name: "To", of: ({ to }) => (to === undefined || to === null ? nothing : addressShown(to, labels)) },
    {
      name: "Value",
      align: "right",
      of: ({ value }) => (quantity(value) ? quantityShown(value ?? null, "wei") : nothing),
    },
    {
      name: "Gas",
      align: "right",
      of: ({ gasUsed }) => (gasUsed === undefined || gasUsed === null ? nothing : quantityShown(gasUsed, "gas")),
    },
    { name: "Result", of: (call) => outcomeShown(call, context) },
    { name: "From", of: ({ from }) => (from === undefined || from === null ? nothing : addressShown(from, labels)) },
  ];
  return [{ ...table(calls, filled(calls, columns), "Calls"), total }];
}

/** Calls in the order in which they were made, of both forms: nested in each other, or in a flat list with places. */
function* tracedCalls(traces: readonly JsonValue[], depth = 0): Generator<TracedCall> {
  for (const trace of traces) {
    if (!isObject(trace)) continue;
    if (isObject(trace.action)) {
      yield flatCall(trace, trace.action);
    } else {
      const { type, from, to, value, gasUsed, input, output, error } = trace;
      yield { depth, kind: type, from, to, value, gasUsed, input, output, error };
      if (isArray(trace.calls) && depth < 512) yield* tracedCalls(trace.calls, depth + 1);
    }
  }
}

function flatCall({ type, result, error, traceAddress }: JsonObject, action: JsonObject): TracedCall {
  const outcome = isObject(result) ? result : {};
  return {
    depth: isArray(traceAddress) ? traceAddress.length : 0,
    kind: action.callType ?? type,
    from: action.from ?? action.address ?? action.author,
    to: action.to ?? outcome.address ?? action.refundAddress,
    value: action.value ?? action.balance,
    gasUsed: outcome.gasUsed,
    input: action.input ?? action.init,
    output: outcome.output ?? outcome.code,
    error,
  };
}

function creates({ kind }: TracedCall): boolean {
  return typeof kind === "string" && /^create/i.test(kind);
}

function actionShown(call: TracedCall, context: ViewContext): Shown {
  const { depth, kind, input, to } = call;
  const indent = "· ".repeat(Math.min(depth, 20));
  const word = typeof kind === "string" ? oneLine(kind, 20).toLowerCase() : "call";
  if (input === undefined || input === null) return { text: `${indent}${word}` };
  const shown = creates(call) ? creationShown(input, context) : callShown(input, context, to);
  const text = input === "0x" ? "" : ` ${shown.text}`;
  return { ...shown, text: `${indent}${word === "call" && text !== "" ? text.slice(1) : word + text}` };
}

function outcomeShown(call: TracedCall, context: ViewContext): Shown {
  const { error, output, input } = call;
  if (error !== undefined && error !== null) {
    const revert = decodeRevert(output, context.scope);
    const reason = revert.kind === "none" ? "" : `: ${labelled(revertReason(revert), context.labels)}`;
    const raw = typeof output === "string" && output.length <= 4096 ? { raw: oneLine(output, 4096) } : {};
    const what = typeof error === "string" ? error : "failed";
    return { text: oneLine(`${what}${reason}`), ...raw, role: "bad" };
  }
  if (output === undefined || output === null || output === "0x") return nothing;
  return creates(call)
    ? codeShown(output, context.labels)
    : returnedShown({ input: input ?? null, to: call.to ?? null }, output, context);
}
