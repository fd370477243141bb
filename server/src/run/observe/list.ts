import { assumed } from "./assumed.ts";
import { Cases } from "./cases.ts";
import { change } from "./change.ts";
import { DataFees } from "./dataFees.ts";
import { HeadTracker } from "./headTracker.ts";
import { impossibleTrace } from "./impossibleTrace.ts";
import { MissingCode } from "./missingCode.ts";
import type { Observation, ObservationContext } from "./observation.ts";
import { Payments } from "./payments.ts";
import { RunTokens } from "./runTokens.ts";
import { RunWords } from "./runWords.ts";
import { Signatures } from "./signatures.ts";
import type { Tracing } from "./traceHost.ts";
import { Traces } from "./traces.ts";

/** All that a run observes. Their changes to a report are made in the order of the list. */
export interface OpenObservations {
  readonly all: readonly Observation[];
  readonly cases: Cases;
  readonly tokens: RunTokens;
  readonly words: RunWords;
}

/** @param tracing - If the calls inside calls are asked for. */
export function openObservations(context: ObservationContext, tracing: Tracing | undefined): OpenObservations {
  const cases = new Cases(context, tracing);
  const tokens = new RunTokens(context, cases);
  const words = new RunWords(context, cases, tokens);
  const all = [
    cases, // the others wait for them
    new Signatures(context, cases),
    tokens,
    words,
    new Payments(context, cases),
    new MissingCode(context),
    new DataFees(context),
    assumed,
    ...(tracing ? [new Traces(context, tracing)] : []),
    impossibleTrace,
    new HeadTracker(context),
    change,
  ];
  return { all, cases, tokens, words };
}
