import { wholeNumber } from "../abi/encode.ts";
import { toQuantity } from "../base/hex.ts";
import type { JsonValue } from "../base/json.ts";
import { type AssumeContext, type Assumptions, assumeContext, nothingKnown } from "../evaluate/assume/assumption.ts";
import { assumingMethods, readAssumptions } from "../evaluate/assume/readAssumptions.ts";
import type { KnownState } from "../evaluate/assume/stateQuestion.ts";
import type { Cell, RequestNode } from "../notebook/cell.ts";
import { headerValues } from "../notebook/header.ts";
import { exactValue, items, spanOf } from "../notebook/json.ts";
import { goesElsewhere } from "./cellEndpoint.ts";
import { labels } from "./labels.ts";
import type { Problem } from "./problem.ts";
import type { Scope } from "./scope.ts";
import { layoutsAreRead, storageScope } from "./storage.ts";
import { checkValue } from "./value.ts";

/**
 * Returns the context that `assume` of a cell is read with.
 *
 * @param known - Facts about the endpoint of the cell; those that the scope has, if absent.
 */
export function assumeScope(cell: Cell, scope: Scope, known?: KnownState): AssumeContext {
  const { tokens } = headerValues(scope.header);
  const remembered = goesElsewhere(cell, scope) ? undefined : scope.knownState;
  const names = { labels: labels(scope), variables: scope.variables, tokens };
  return assumeContext(names, known ?? remembered ?? nothingKnown.known);
}

/** Reads what the requests of a cell assume, as far as it is known without a run. */
export function assumptionsIn(cell: Cell, scope: Scope): readonly Assumptions[] {
  if (!cell.directives.has("assume") || cell.faults.length > 0) return [];
  const context = assumeScope(cell, scope);
  return cell.requests.flatMap((request) => {
    const { method = "", members } = request;
    const value = members.get("assume")?.value;
    if (value?.type !== "object" || !assumingMethods.includes(method)) return [];
    const assuming = {
      text: cell.text,
      method,
      block: blockOf(cell.text, request),
      isOpen: hasBraces,
      storage: layoutsAreRead(cell, scope) ? storageScope(cell, scope) : ("unread" as const),
    };
    return [readAssumptions(value, assuming, context)];
  });
}

function hasBraces(text: string): boolean {
  return text.includes("{{");
}

/** The block of a request as it is sent, as far as that is known without a run. */
function blockOf(text: string, { members }: RequestNode): JsonValue {
  const node = items(members.get("params")?.value)[1];
  const block = (node && exactValue(text, node)) ?? "latest";
  const number = wholeNumber(block);
  return typeof block !== "string" && number !== undefined && number >= 0n ? toQuantity(number) : block;
}

/** Checks what the requests of a cell assume: shape, names and amounts, and what the endpoint has said about it. */
export function checkAssumptions(cell: Cell, scope: Scope): readonly Problem[] {
  if (!cell.directives.has("assume") || cell.faults.length > 0) return [];
  const shape = cell.requests.flatMap((request) => checkShape(cell, request));
  const found = assumptionsIn(cell, scope)
    .flatMap(({ problems }) => problems)
    .flatMap((one) => (one.code === "bad-assumption" ? one : []));
  const isTold = ({ code, span }: Problem): boolean =>
    code !== "decimal-number" && found.some((one) => one.span.start === span.start);
  return [...shape.filter((one) => !isTold(one)), ...found];
}

function checkShape({ text }: Cell, { method = "", members }: RequestNode): readonly Problem[] {
  const { key, value } = members.get("assume") ?? {};
  if (!key || value?.type !== "object") return [];
  if (assumingMethods.includes(method)) return checkValue(text, value, "assumptions");
  const what = "Only `eth_call`, `eth_estimateGas` and `eth_simulateV1` can assume something.";
  return [{ code: "bad-assumption", span: spanOf(key), what }];
}
