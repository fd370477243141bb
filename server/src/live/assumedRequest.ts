import type { Scope } from "../analysis/scope.ts";
import { withinTime } from "../base/deadline.ts";
import type { Clock } from "../base/ports.ts";
import type { EvaluatedRequest } from "../evaluate/evaluateRequest.ts";
import { backgroundRequest } from "../features/backgroundRequest.ts";
import type { Cell } from "../notebook/cell.ts";
import type { AssumedState } from "../run/prepare/statePlaces.ts";
import type { Document } from "../workspace/documents.ts";
import type { Routes } from "../workspace/routes.ts";

interface AssumedHost {
  readonly clock: Clock;
  readonly routes: Routes;
  readonly assumedState: AssumedState;
}

/** Milliseconds for the questions before a request. */
const maxWaitMs = 3000;
/** Rounds of questions: an answer may lead to another question. */
const maxRounds = 2;

/**
 * Returns the request of a cell that assumes something. Asks its endpoint in the background for the facts that it needs
 * first.
 *
 * @returns `undefined` if it cannot be made, or if no request may be sent.
 */
export async function assumedRequest(
  cell: Cell,
  scope: Scope,
  document: Document,
  { clock, routes, assumedState }: AssumedHost,
  signal: AbortSignal,
): Promise<EvaluatedRequest | undefined> {
  const client = await routes.backgroundClient(document, document.uri, cell);
  if ("silent" in client) return undefined;
  const place = { endpoint: client.memory, host: client.endpoint.host };
  const known = assumedState.at(place);
  for (let round = 0; round <= maxRounds && !signal.aborted; round++) {
    const made = backgroundRequest(cell, scope, known);
    if (!made || "text" in made) return made;
    if (round === maxRounds) return undefined;
    const asking = assumedState.find(made.questions, place, (all) => client.ask(all, signal));
    await withinTime(asking, maxWaitMs, clock, signal);
  }
  return undefined;
}
