import { staleReason } from "../features/staleness.ts";
import type { StalenessParams, StalenessResult } from "../protocol/runs.ts";
import type { Results } from "../run/result/results.ts";
import type { OpenDocuments } from "../workspace/openDocuments.ts";
import type { AnalysisContexts } from "./analysisContexts.ts";

/** Returns a notice if the result under a cell is stale: the cell, or something it depends on, has changed since. */
export function staleNotice(
  { uri, origin }: StalenessParams,
  documents: OpenDocuments,
  contexts: AnalysisContexts,
  results: Results,
): NonNullable<StalenessResult> | undefined {
  const document = documents.of(uri);
  const place = document?.placesIn(uri)[0];
  if (!document || place?.index === undefined) return undefined;
  const { cell } = place;
  const { endpoint, lastResult } = contexts.of(document).scope;
  const notice = (reason: string) => ({ label: "stale", why: `This result is stale: ${reason}` });
  const last = lastResult(cell);
  if (last) return last.stale && notice(staleReason(last.stale));
  if (origin !== results.identify(document, cell, endpoint)) return notice(staleReason(undefined));
  return results.isOutrun(document, cell) ? notice(staleReason("outrun")) : undefined;
}
