import { abiItems } from "./analysis/abi.ts";
import type { JsonValue } from "./base/json.ts";
import type { Clock } from "./base/ports.ts";
import type { Catalogs } from "./catalogs.ts";
import { type Document, toDocument } from "./documents.ts";
import { headerValues } from "./notebook/header.ts";
import type { CellRef, RunParams, RunResult } from "./protocol.ts";
import type { Results } from "./results.ts";
import type { Routes } from "./routes.ts";
import { openCourier } from "./run/courier.ts";
import { type FinishedCell, finishedCell, lastResult } from "./run/finished.ts";
import { plan } from "./run/plan.ts";
import { type Answer, run } from "./run/run.ts";

export interface RunEvents {
  /** The ordinals of all cells that the run takes in, in the order of the notebook; comes before everything else. */
  planned?(indices: readonly number[]): void;
  /** The cell's request goes out now. */
  started(event: { readonly cell: CellRef }): void;
  /** Comes once for every planned cell, also for those never sent. */
  finished(event: FinishedCell): void;
}

/** What a run needs that outlives it. */
export interface RunSupport {
  readonly clock: Clock;
  readonly routes: Routes;
  readonly catalogs: Catalogs;
  readonly results: Results;
}

/**
 * Runs cells of a document and what they refer to, and keeps their results.
 *
 * @param variables - Win over those of the header.
 */
export async function runCells(
  document: Document,
  { cells, endpoint }: Omit<RunParams, "runId">,
  variables: ReadonlyMap<string, JsonValue>,
  events: RunEvents,
  signal: AbortSignal,
  { clock, routes, catalogs, results }: RunSupport,
): Promise<RunResult> {
  const steps = plan(document.cells, cells && indicesOf(document, cells));
  events.planned?.(steps.map(({ index }) => index));
  const header = headerValues(document.header);
  const courierHost = await routes.courierHost(document, endpoint);
  const courier = await openCourier(
    steps.map(({ cell }) => cell),
    courierHost,
    signal,
  );
  catalogs.refresh(document);
  await catalogs.settled(document.uri);
  const { catalog } = catalogs.known(document, routes.known(document).endpoint);
  const keep = results.record(document);
  const keys = results.keysOf(document);
  const ended = await run(
    steps,
    {
      clock,
      courier,
      variables: new Map([...header.variables, ...variables]),
      catalog,
      abiOf: (cell) => abiItems(cell, document),
      started: ({ index }) => events.started({ cell: document.refs[index] ?? { index } }),
      finished: (ended) => {
        const { index, cell } = ended.step;
        const place = document.placeOf(cell);
        const finished = finishedCell(ended, {
          ref: document.refs[index] ?? { index },
          key: keys[index] ?? String(index + 1),
          labels: header.labels,
          toDocument: (at) => (place ? toDocument(place, at) : at),
        });
        keep(finished.key, lastResult(finished));
        for (const answer of ended.answers) learn(answer, catalogs);
        events.finished(finished);
      },
    },
    signal,
  );
  const ok = ended.filter((one) => one.ok).length;
  return { ok, failed: ended.length - ok, cancelled: signal.aborted };
}

/** What an endpoint tells of its methods counts from now on. */
function learn({ request, outcome }: Answer, catalogs: Catalogs): void {
  if (request.method !== "rpc.discover" || outcome.kind !== "answered") return;
  const { endpoint, host } = outcome.exchange;
  catalogs.discovered({ name: endpoint, host }, outcome.result.value);
}

function indicesOf(document: Document, refs: readonly CellRef[]): readonly number[] {
  return refs.flatMap((ref) => ("index" in ref ? [ref.index] : (document.placesIn(ref.uri)[0]?.index ?? [])));
}
