import { assumed } from "./assumed.ts";
import { Cases } from "./cases.ts";
import { change } from "./change.ts";
import { DataFees } from "./dataFees.ts";
import { HeadTracker } from "./headTracker.ts";
import { MissingCode } from "./missingCode.ts";
import type { Observation, Observing } from "./observation.ts";
import { Payments } from "./payments.ts";
import { RunTokens } from "./runTokens.ts";
import { RunWords } from "./runWords.ts";
import { Signatures } from "./signatures.ts";

/** All that a run observes, in the order in which results show it. */
export interface OpenObservations {
  readonly all: readonly Observation[];
  readonly cases: Cases;
  readonly tokens: RunTokens;
  readonly words: RunWords;
}

export function openObservations(observing: Observing): OpenObservations {
  const cases = new Cases(observing);
  const tokens = new RunTokens(observing, cases);
  const words = new RunWords(observing, cases, tokens);
  const all = [
    new Signatures(observing, cases),
    cases,
    tokens,
    words,
    new Payments(observing, cases),
    new MissingCode(observing),
    new DataFees(observing),
    assumed,
    new HeadTracker(observing),
    change,
  ];
  return { all, cases, tokens, words };
}
