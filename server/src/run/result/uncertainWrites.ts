import { transactionHash } from "../../abi/transaction.ts";
import { isArray, isObject, type JsonObject, type JsonValue, printJson } from "../../base/json.ts";
import { brief } from "../../base/text.ts";
import { methodNamed } from "../../catalog/catalog.ts";
import { isHarmless } from "../../catalog/effects.ts";
import type { EvaluatedRequest } from "../../evaluate/evaluateRequest.ts";
import type { Report, Section } from "../../report/report.ts";
import type { Outcome } from "../../rpc/outcome.ts";

/**
 * The transaction is in the pool, and the time for its receipt is over.
 * @see https://eips.ethereum.org/EIPS/eip-7966
 */
const receiptTimeout = 4;

/** Returns whether a request may have been executed without an answer, such as a broadcast whose connection broke. */
export function mayHaveBeenExecuted({ method }: Pick<EvaluatedRequest, "method">, outcome: Outcome): boolean {
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
