import { endpointDirective } from "../analysis/cellEndpoint.ts";
import { sentAlong } from "../analysis/order.ts";
import { hostDependencies } from "../analysis/references.ts";
import type { Mask } from "../base/mask.ts";
import { hideKeys } from "../endpoints/hideKeys.ts";
import type { ValueOf } from "../endpoints/hostValue.ts";
import { type Choices, type EndpointFault, type Resolved, resolveEndpoint } from "../endpoints/resolveEndpoint.ts";
import type { Approvals } from "../gate/approvals.ts";
import type { SendRoutes } from "../gate/endpointQueue.ts";
import type { Cell } from "../notebook/cell.ts";
import type { HeaderValues } from "../notebook/header.ts";
import type { Retry } from "../rpc/retry.ts";
import type { EndpointListing } from "./endpointDirectory.ts";

/** The destinations of the cells of one run, and the permission to send there. */
export interface RunRoutes extends SendRoutes {
  readonly header: HeaderValues;
  /** Whether contracts may be called for the symbol and decimals of their amounts. */
  readonly tokenLookup: boolean;
  /** Notes in the log that something is sent again. */
  logRetry(retry: Retry): void;
  /** Returns a value of the host that the cells name. */
  readonly hostValue: ValueOf;
  /** Names of all endpoints that the document can use. */
  readonly names: readonly string[];
}

/** Resolves each choice once: cells with the same directive share an object. */
export function endpointResolver(choices: Choices, { endpoints, hostValue, fallback }: EndpointListing, mask: Mask) {
  const byDirective = new Map<string | undefined, Resolved | EndpointFault>();
  return (cell: Cell): Resolved | EndpointFault => {
    const directive = endpointDirective(cell);
    const last = byDirective.get(directive);
    if (last) return last;
    const resolved = resolveEndpoint({ ...choices, cell: directive }, endpoints, hostValue, fallback);
    if ("endpoint" in resolved) hideKeys(resolved.endpoint, mask);
    byDirective.set(directive, resolved);
    return resolved;
  };
}

/** Asks for approval of a site, with the values of the host that cells send there. */
export function admission(cells: readonly Cell[], hostValue: ValueOf, approvals: Approvals): SendRoutes["refusalsOf"] {
  const sendsValues = cells.some((cell) => !cell.literal && hostDependencies(cell).length > 0);
  return (permit, admitted, signal, asks) =>
    approvals.admit(
      permit,
      admitted,
      (some) => (sendsValues ? sentAlong(some, cells).filter((one) => hostValue(one) !== undefined) : []),
      signal,
      asks,
    );
}

/** Returns the text of the cells that may name values. A loop: of thousands of cells few do. */
export function textsWithReferences(cells: readonly Cell[]): string {
  const texts: string[] = [];
  for (const { literal, text } of cells) if (!literal) texts.push(text);
  return texts.join("\n");
}
