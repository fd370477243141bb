import type { Cell } from "../../notebook/cell.ts";
import { items, type JsonNode, member, spanOf } from "../../notebook/json.ts";
import type { ExplainedPayment } from "../../report/explainedPayment.ts";
import type { ActionsOf } from "../../report/paymentCauses.ts";
import type { Action } from "../../report/report.ts";

/** Returns the actions on a cell's text for the causes of its failed payments. */
export function paymentActions(cell: Cell, at: number): ActionsOf {
  return ({ args, fix }, payment) => {
    const call = callNode(cell, at, payment);
    const places = call ? args.map((name) => placeOf(call, payment, name)) : [];
    const nodes = places.flatMap((place) => place?.node ?? []);
    if (nodes.length === 0) return [];
    const start = Math.min(...nodes.map((node) => spanOf(node).start));
    const end = Math.max(...nodes.map((node) => spanOf(node).end));
    const show: Action = { kind: "show", label: "Show in Cell", start, end };
    const [only] = places;
    if (!fix || places.length !== 1 || !only?.isValue) return [show];
    const isText = only.node.type === "string" && !fix.json.startsWith('"');
    return [show, { kind: "fix", label: fix.label, start, end, text: isText ? JSON.stringify(fix.json) : fix.json }];
  };
}

function callNode({ requests }: Cell, at: number, { place }: ExplainedPayment): JsonNode | undefined {
  const [first] = items(requests[at]?.members.get("params")?.value);
  if (!place) return first?.type === "object" ? first : undefined;
  const entry = items(member(first, "blockStateCalls"))[place.entry];
  return items(member(entry, "calls"))[place.call];
}

interface ArgumentPlace {
  readonly node: JsonNode;
  /** The node is the value itself, not something that it is in. */
  readonly isValue: boolean;
}

function placeOf(call: JsonNode, { facts }: ExplainedPayment, name: string): ArgumentPlace | undefined {
  const [, ofCall] = /^call\.(\w+)$/.exec(name) ?? [];
  if (ofCall !== undefined) {
    const node = member(call, ofCall);
    return node ? { node, isValue: true } : { node: call, isValue: false };
  }
  const data = member(call, "input") ?? member(call, "data");
  const args = member(data, "args");
  const node = args?.type === "array" ? items(args)[facts.payment.args.indexOf(name)] : member(args, name);
  if (node) return { node, isValue: true };
  return data && { node: data, isValue: false };
}
