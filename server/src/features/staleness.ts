import type { Staleness } from "../analysis/scope.ts";

/**
 * Goes on behind "is stale:" with why that is, and what to do.
 *
 * @param stale - `undefined` for a result of which nothing is known any more.
 */
export function staleReason(stale: Staleness | undefined): string {
  switch (stale) {
    case undefined:
      return "it is from another request, or from before the language server started. Run the cell again.";
    case "changed":
      return "the request has changed since, or something it depends on. Run the cell again.";
    case "elsewhere":
      return "the cell now uses another endpoint. Run the cell again.";
    case "outrun":
      return "a cell that it refers to has run again since. Run the cell again.";
  }
}
