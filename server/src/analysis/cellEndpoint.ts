import { isBlock } from "../catalog/types.ts";
import type { Cell } from "../notebook/cell.ts";
import { nameOf } from "../notebook/header.ts";
import { exactValue, type JsonNode, member } from "../notebook/json.ts";
import type { Problem } from "./problem.ts";
import type { Scope } from "./scope.ts";
import { type TypedToken, typedTokens } from "./typedTokens.ts";

/** Returns the `endpoint` of a cell: a request's, or a batch's own. */
export function endpointDirective(cell: Cell): string | undefined {
  if (!cell.directives.has("endpoint")) return undefined;
  const { kind, root, requests } = cell;
  const node = kind === "batch" ? member(root, "endpoint") : requests[0]?.members.get("endpoint")?.value;
  return node && nameOf(exactValue(cell.text, node));
}

/** Where a cell names the endpoint of its own. */
export function endpointsIn({ kind, root, requests }: Cell): readonly (JsonNode | undefined)[] {
  const own = requests.map(({ members }) => members.get("endpoint")?.value);
  return kind === "batch" ? [member(root, "endpoint"), ...own] : own;
}

/** Whether it names another endpoint than the one that the notebook uses now, of which alone something is known. */
export function goesElsewhere(cell: Cell, { endpoint }: Scope): boolean {
  return endpointsIn(cell).some((node) => node && node.value !== endpoint?.name);
}

/**
 * Subscriptions that need pre-confirmed state, each with its replacement on endpoints without it.
 * @see https://github.com/base/docs (migrate-from-flashblocks.mdx)
 */
const subscriptions: ReadonlyMap<string, string> = new Map([
  ["newFlashblocks", "newHeads"],
  ["newFlashblockTransactions", "newHeads"],
  ["pendingLogs", "logs"],
]);

/** Finds requests for pre-confirmed state if the endpoint is known not to have any. */
export function notAhead(cell: Cell, scope: Scope): readonly Problem[] {
  const { endpoint, catalog } = scope;
  if (!endpoint || !/pending|Flashblock/.test(cell.text) || goesElsewhere(cell, scope)) return [];
  const { name, cadence } = endpoint;
  const { kind, pending, source, why } = cadence;
  if (kind === "pre-confirmed" || source === "default") return [];
  return typedTokens(cell, catalog).flatMap((word): readonly Problem[] => {
    const instead = pending === "same" && isPending(word) ? "latest" : subscribed(word);
    const { text, span } = word;
    return instead === undefined ? [] : [{ code: "not-ahead", span, text, instead, endpoint: name, why }];
  });
}

function isPending({ kind, quoted, text, role }: TypedToken): boolean {
  return kind === "value" && quoted && text === "pending" && role.kind === "typed" && isBlock(role.type);
}

function subscribed({ kind, text, method, path }: TypedToken): string | undefined {
  const isKind = kind === "value" && method === "eth_subscribe" && path.at(-1)?.index === 0;
  return isKind ? subscriptions.get(text) : undefined;
}
