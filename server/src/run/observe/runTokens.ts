import type { EvaluatedRequest } from "../../evaluate/evaluateRequest.ts";
import type { Cell } from "../../notebook/cell.ts";
import type { HeaderValues } from "../../notebook/header.ts";
import type { Tokens } from "../../report/tokens.ts";
import { mayNameTokens } from "../../report/tokensIn.ts";
import type { Answer } from "../cellRun.ts";
import type { Cases } from "./cases.ts";
import type { Addition, Observation, ObservationContext } from "./observation.ts";
import type { Lookup } from "./tokens.ts";

/** Finds symbol and decimals of the tokens in answers: in the header, else from their contracts. */
export class RunTokens implements Observation<Tokens> {
  /** Those of the header. */
  readonly stated: Tokens;
  readonly #context: ObservationContext;
  readonly #cases: Cases;
  readonly #found = new Map<EvaluatedRequest, Tokens>();
  readonly #reading = new WeakMap<readonly Answer[], Promise<Tokens>>();

  constructor(context: ObservationContext, cases: Cases) {
    this.stated = statedTokens(context.run.header);
    this.#context = context;
    this.#cases = cases;
  }

  concerns(cell: Cell, requests: readonly EvaluatedRequest[]): boolean {
    return this.#cases.concerns(cell) || requests.some(mayNameTokens);
  }
  showing(cell: Cell, answers: readonly Answer[]): Promise<Tokens> | undefined {
    const read = this.#reading.get(answers);
    if (read) return read;
    const found = this.in(cell, this.#cases.withAnswers(answers), this.#context.signal);
    if (!(found instanceof Promise)) return undefined;
    const reading = found.then((tokens) => {
      for (const { request } of answers) this.#found.set(request, tokens);
      return tokens;
    });
    this.#reading.set(answers, reading);
    return reading;
  }
  /** Returns the tokens in answers of a cell; at once if no contract is asked. Never rejects. */
  in(cell: Cell, answers: readonly Answer[], signal: AbortSignal): Tokens | Promise<Tokens> {
    if (!answers.some(({ request }) => mayNameTokens(request))) return this.stated;
    const { asker, run } = this.#context;
    const lookup: Lookup = {
      stated: this.stated,
      place: this.#placeOf(cell),
      ask: (requests) => Promise.all(requests.map((request) => asker.ask(cell, request))),
    };
    return run.support.tokenNames.of(answers, lookup, signal);
  }
  of(_cell: Cell, request: EvaluatedRequest): Tokens {
    return this.#found.get(request) ?? this.stated;
  }
  hidden(tokens: Tokens): Tokens {
    return tokens; // symbols go through the mask when they are read
  }
  adds(): Addition {
    return {}; // they are names: every answer is shown with them
  }

  /** Returns the endpoint and chain whose contracts are asked; `undefined` if none may be. */
  #placeOf(cell: Cell): Lookup["place"] {
    const { routes, header } = this.#context.run;
    if (!routes.tokenLookup) return undefined;
    const endpoint = this.#context.endpointForQuestions(cell, "eth_call", { limited: true, repeated: true });
    return endpoint && { endpoint: routes.memoryOf(endpoint), chainId: endpoint.chainId ?? header.chainId };
  }
}

/** Returns the tokens that a header names. */
export function statedTokens({ tokens }: HeaderValues): Tokens {
  return new Map([...tokens].map(([address, token]) => [address, { ...token, source: "the header" }] as const));
}
