import { type DecodedRevert, decodeRevert, type ErrorArg, revertReason } from "../abi/decodeRevert.ts";
import type { ValuePath } from "../abi/nested.ts";
import type { Explanation } from "../base/error.ts";
import { isArray, isObject, type JsonValue, printJson } from "../base/json.ts";
import { oneLine, visible } from "../base/text.ts";
import { codeName } from "../rpc/classify.ts";
import { explain } from "../rpc/explain.ts";
import type { Refused, Unreachable } from "../rpc/outcome.ts";
import { callShown, sourceText } from "./call.ts";
import type { Action, Field, Report, Shown } from "./report.ts";
import { errorArgShown, revertText } from "./revertText.ts";
import { faultFields, nameAt } from "./shown.ts";
import type { View, ViewContext } from "./view.ts";

/** A request without a result: what went wrong, why, what to do, and the endpoint's own words. */
export function failureView(outcome: Refused | Unreachable, method: string, context: ViewContext): View {
  const { what, todo } = explain(outcome, method);
  const revert = revertOf(outcome, context);
  const fields = outcome.kind === "refused" ? refusalFields(outcome, revert, context) : [];
  const failure = { kind: "failure", what: oneLine(what), todo: oneLine(todo), fields } as const;
  if (revert) {
    const text = oneLine(revertText(revert, context, targetOf(context)));
    return {
      summary: `reverted: ${text}`,
      headline: [{ text: `Reverted: ${text}` }],
      sections: [{ ...failure, ...(revert.kind === "none" && silent(method)), folded: true }],
    };
  }
  return {
    summary: shortReason(outcome, what),
    headline: [{ text: failure.what.replace(/\.$/, "") }],
    sections: [
      {
        ...failure,
        hasDetails: true,
        actions: [...explainActions(outcome, method, context), ...retryActions(outcome), ...settingActions(todo)],
      },
    ],
  };
}

/** What to do about a revert without a reason. */
function silent(method: string) {
  const canTrace = /^eth_(?:call|estimateGas)$/.test(method);
  return {
    isSilent: true,
    ...(canTrace && { todo: "Run with Calls Inside (--trace) shows where it failed." }),
  } as const;
}

export function failedReport(title: string, { what, todo }: Explanation, facts: Report["facts"] = []): Report {
  return { title, summary: what, status: "failed", sections: [{ kind: "failure", what, todo, fields: [] }], facts };
}

/** Returns actions for failures that may pass, or that another endpoint does not have. */
function retryActions(outcome: Refused | Unreachable): readonly Action[] {
  const { reason } = outcome;
  if (reason === "bad-params" || reason === "bad-request") return [];
  if (reason === "not-recorded") return [{ kind: "choose-endpoint", label: "Use a Node" }];
  const usual: readonly Action[] = [
    { kind: "run", label: "Run Again" },
    { kind: "choose-endpoint", label: "Choose Endpoint" },
  ];
  if (reason !== "refused") return usual;
  return [
    { kind: "start-local-chain", label: "Start Local Chain" },
    ...usual,
    { kind: "open-docs", label: "Open Docs" },
  ];
}

/** Returns actions for a transaction that was refused, and for a message that names a hash. */
function explainActions(outcome: Refused | Unreachable, method: string, { params }: ViewContext): readonly Action[] {
  if (outcome.kind !== "refused" || outcome.reason === "not-recorded") return [];
  const raw = /^eth_sendRawTransaction/.test(method) && isArray(params) ? params[0] : undefined;
  const text = typeof raw === "string" ? raw : /0x[\da-f]{64}/i.test(outcome.message) ? outcome.message : undefined;
  return text === undefined ? [] : [{ kind: "explain", label: "Explain", text: visible(text.slice(0, maxExplained)) }];
}

/** Characters of a text that is explained. */
const maxExplained = 200_000;

/** Opens the setting that an advice names. */
function settingActions(todo: string): readonly Action[] {
  const setting = /`((?:rpcNotebook|http)\.\w+)`/.exec(todo)?.[1];
  return setting === undefined ? [] : [{ kind: "open-setting", label: "Open Setting", setting }];
}

/** The endpoint's own message, if any; the explanation repeats it with all details. */
function shortReason(outcome: Refused | Unreachable, what: string): string {
  if (outcome.kind === "refused" && outcome.reason === "not-recorded") return "not in the recording";
  return outcome.kind === "refused" && outcome.message !== ""
    ? `refused: ${oneLine(outcome.message, 160)}`
    : oneLine(what);
}

function revertOf(outcome: Refused | Unreachable, context: ViewContext): DecodedRevert | undefined {
  if (outcome.kind !== "refused") return undefined;
  const { reason, revertData, message } = outcome;
  if (reason !== "revert" && revertData === undefined) return undefined;
  const revert = decodeRevert(revertData, context.scope, targetOf(context));
  return revert.kind === "none" ? (reasonInMessage(message) ?? revert) : revert;
}

/** Some nodes send the reason in their message and no data: `execution reverted: too small`. */
function reasonInMessage(message: string): DecodedRevert | undefined {
  const [, quoted, plain] = /reverted with reason string '([^']+)'|reverted:\s*(\S.*)$/is.exec(message) ?? [];
  const reason = quoted ?? plain;
  return reason === undefined || /^0x[0-9a-f]*$/i.test(reason) ? undefined : { kind: "reason", reason, faults: [] };
}

function refusalFields(refused: Refused, revert: DecodedRevert | undefined, context: ViewContext): readonly Field[] {
  const { code, message, data } = refused;
  const meaning = codeName(refused);
  const text = typeof data === "string" ? data : data === undefined ? "" : printJson(data);
  return [
    ...(revert ? revertFields(revert, context) : []),
    ...(message.length > 300 ? [{ name: "message", value: { text: oneLine(message, 4000) } }] : []),
    ...(code === undefined
      ? []
      : [{ name: "code", value: { text: String(code), ...(meaning !== undefined && { also: [meaning] }) } }]),
    ...(text === "" ? [] : [{ name: "data", value: { text: oneLine(text, 4000) } }]),
  ];
}

/** How a revert was understood, and its arguments one by one. */
function revertFields(revert: DecodedRevert, context: ViewContext): readonly Field[] {
  const faults = "faults" in revert ? faultFields(revert.faults) : [];
  switch (revert.kind) {
    case "none":
      return [];
    case "reason":
    case "text":
      return [{ name: "reason", value: { text: oneLine(revertReason(revert)), role: "bad" } }, ...faults];
    case "panic":
      return [{ name: "panic", value: { text: revertReason(revert), role: "bad" } }, ...faults];
    case "unknown":
      return [errorField(revert.selector, "no known ABI declares this error")];
    case "custom": {
      const others = revert.others.map(({ declaration, source }) => ({
        name: "perhaps",
        value: { text: oneLine(declaration), also: [`from ${oneLine(source)}`] },
      }));
      const args = revert.args.flatMap((arg, i) =>
        argFields(arg, i, errorArgShown(revert, arg, i, context, targetOf(context)), context),
      );
      const name = errorField(oneLine(revert.signature), sourceText(revert.source, revert.guess));
      return [name, ...args, ...others, ...faults];
    }
  }
}

function errorField(text: string, source: string): Field {
  return { name: "error", value: { text, also: [source], role: "bad" } };
}

/** The contract that the request calls. */
function targetOf({ params }: ViewContext): JsonValue | undefined {
  const call = isArray(params) ? params[0] : undefined;
  return isObject(call) ? call.to : undefined;
}

function argFields(arg: ErrorArg, index: number, value: Shown, context: ViewContext): readonly Field[] {
  const name = nameAt(arg.name, index);
  const decoded = (path: ValuePath, shown: Shown): Field => ({
    name: [name, ...path.map((step) => oneLine(String(step), 60)), "decoded"].join(", "),
    value: shown,
  });
  return [
    { name, value },
    ...arg.inner.map(({ path, revert }) => decoded(path, { text: oneLine(revertReason(revert)), role: "bad" })),
    ...arg.calls.map(({ path: [, ...path], data }) => decoded(path, callShown(data, context))),
  ];
}
