import { staleReason } from "../features/staleness.ts";
import type { StalenessResult } from "../protocol/runs.ts";
import type { OpenDocuments } from "../workspace/openDocuments.ts";
import type { AnalysisContexts } from "./analysisContexts.ts";

/**
 * Says why the result that is shown under a cell is no longer what the cell would give.
 *
 * @param uri - Of the cell's document.
 */
export function staleNotice(
  uri: string,
  documents: OpenDocuments,
  contexts: AnalysisContexts,
): NonNullable<StalenessResult> | undefined {
  const document = documents.of(uri);
  const place = document?.placesIn(uri)[0];
  if (!document || place?.index === undefined) return undefined;
  const last = contexts.of(document).scope.lastResult(place.cell);
  const isCurrent = last !== undefined && last.stale === undefined;
  return isCurrent ? undefined : { label: "stale", why: `This result is stale: ${staleReason(last?.stale)}` };
}
