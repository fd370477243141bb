import { transactionHash } from "../../abi/transaction.ts";
import { mistakesIn } from "../../analysis/check.ts";
import { message } from "../../analysis/message.ts";
import type { Problem } from "../../analysis/problem.ts";
import { isArray, isObject, type JsonObject, type JsonValue, printJson } from "../../base/json.ts";
import { brief, oneLine, uncapitalized } from "../../base/text.ts";
import { bundledCatalog, methodNamed } from "../../catalog/catalog.ts";
import { isHarmless } from "../../catalog/effects.ts";
import { assumingMethods } from "../../evaluate/assume/readAssumptions.ts";
import type { EvaluatedRequest } from "../../evaluate/evaluateRequest.ts";
import type { Cell } from "../../notebook/cell.ts";
import type { Action, FailureSection, Report, Section } from "../../report/report.ts";
import type { Outcome } from "../../rpc/outcome.ts";

/** How contracts and nodes say that an account has too little, in the names of errors too. */
const shortage = /insufficient|exceeds ?(balance|allowance)|balance too low/i;

const advice = "To see what would happen with enough, add `assume` to the request: a balance, tokens or an allowance.";

/** Says how to simulate a call that failed because an account has too little. */
export function withAssumeHint(report: Report, { method, assumed = [] }: EvaluatedRequest, outcome: Outcome): Report {
  const isShort = outcome.kind === "refused" && shortage.test(report.summary);
  if (!isShort || assumed.length > 0 || !assumingMethods.includes(method)) return report;
  const sections = report.sections.map((one) => (one.kind === "failure" ? { ...one, todo: advice } : one));
  return { ...report, sections };
}

const reasons: ReadonlySet<string> = new Set(["bad-params", "bad-request", "unknown-method"]);

/** Adds the mistake that the checker sees in a request to the report of its refusal, in place of the node's advice. */
export function withMistake(report: Report, cell: Cell, at: number, outcome: Outcome): Report {
  if (outcome.kind !== "refused" || !reasons.has(outcome.reason)) return report;
  const mistake = mistakeIn(cell, at);
  if (!mistake) return report;
  const [what = "", ...todo] = oneLine(message(mistake)).split(/(?<=\.) (?=[A-Z])/);
  const headline = [{ text: `Refused: ${uncapitalized(what).replace(/\.$/, "")}` }] as const;
  const explained = (section: Section): Section =>
    section.kind === "failure" ? withActions(section, todo.join(" "), actionsOf(mistake)) : section;
  return { ...report, summary: uncapitalized(headline[0].text), headline, sections: report.sections.map(explained) };
}

function mistakeIn(cell: Cell, at: number): Problem | undefined {
  const request = cell.requests[at]?.node;
  if (!request) return undefined;
  const end = request.offset + request.length;
  return mistakesIn(cell, bundledCatalog).find(({ span }) => span.start >= request.offset && span.end <= end);
}

function withActions(failure: FailureSection, todo: string, actions: readonly Action[]): FailureSection {
  return { ...failure, todo, actions };
}

function actionsOf(mistake: Problem): readonly Action[] {
  const { start, end } = mistake.span;
  const [near] = mistake.code === "unknown-method" ? mistake.nearest : [];
  const fix: readonly Action[] =
    near === undefined ? [] : [{ kind: "fix", label: `Use ${near}`, start, end, text: JSON.stringify(near) }];
  return [{ kind: "show", label: "Show in Cell", start, end }, ...fix];
}

/**
 * The transaction is in the pool, and the time for its receipt is over.
 * @see https://eips.ethereum.org/EIPS/eip-7966
 */
const receiptTimeout = 4;

/** Returns whether a request may have been executed without an answer, such as a broadcast whose connection broke. */
export function mayHaveBeenExecuted({ method }: EvaluatedRequest, outcome: Outcome): boolean {
  const { exchange } = outcome;
  if (method === "eth_sendRawTransactionSync" && outcome.kind === "refused" && outcome.code === receiptTimeout)
    return true;
  return exchange.uncertain === true && !isHarmless(methodNamed(method)?.effect ?? "unknown");
}

/** Adds a warning to the top of a report, with a cell that looks the request up. */
export function withUncertainty(report: Report, request: EvaluatedRequest, outcome: Outcome): Report {
  if (!mayHaveBeenExecuted(request, outcome)) return report;
  const hash = hashOf(request);
  const lookUp = lookUpCell(request, hash);
  const what = `${brief(request.method, 60)} may have been executed: no answer says what happened to it.`;
  const todo = lookUp ? "Look it up with the cell below before you send it again." : "Check before you send it again.";
  const text = lookUp === undefined ? undefined : printJson(lookUp);
  const sections: readonly Section[] = [
    {
      kind: "failure",
      what,
      todo,
      fields: hash === undefined ? [] : [{ name: "transaction", value: { text: hash, role: "hash" } }],
    },
    ...(text === undefined ? [] : [{ kind: "text", title: "Cell to look it up", text, length: text.length } as const]),
  ];
  return { ...report, summary: what, sections: [...sections, ...report.sections.flatMap(withoutAdvice)] };
}

/** Removes the advice from a failure: "Run it again" would send the write twice. */
function withoutAdvice(section: Section): readonly Section[] {
  if (section.kind !== "failure") return [section];
  const { what, fields } = section;
  return [{ kind: "note", text: what }, ...(fields.length > 0 ? [{ kind: "fields", fields } as const] : [])];
}

/** Returns the same as JSON. */
export function uncertaintyJson(request: EvaluatedRequest, outcome: Outcome): JsonObject {
  if (!mayHaveBeenExecuted(request, outcome)) return {};
  const hash = hashOf(request);
  return { mayHaveBeenExecuted: true, ...(hash !== undefined && { transactionHash: hash }) };
}

function hashOf({ method, params }: EvaluatedRequest): string | undefined {
  return /^eth_sendRawTransaction/.test(method) && isArray(params) ? transactionHash(params[0]) : undefined;
}

/** Returns a cell that looks a transaction up by hash, or by the sender's nonce if the node signs it. */
function lookUpCell({ params }: EvaluatedRequest, hash: string | undefined): JsonValue | undefined {
  if (hash !== undefined) return { method: "eth_getTransactionByHash", params: [hash] };
  const [call] = isArray(params) ? params : [];
  const from = isObject(call) ? call.from : undefined;
  return typeof from === "string" ? { method: "eth_getTransactionCount", params: [from, "pending"] } : undefined;
}
