import type { Asker } from "../../gate/endpointQueue.ts";
import type { Cell } from "../../notebook/cell.ts";
import type { HeaderValues } from "../../notebook/header.ts";
import type { Tokens } from "../../report/tokens.ts";
import { mayNameTokens } from "../../report/tokensIn.ts";
import type { Answer } from "../cellRun.ts";
import type { DocumentRun } from "../documentRun.ts";
import type { Lookup } from "./tokens.ts";

/** Finds symbol and decimals of the tokens in answers: in the header, else from their contracts. */
export class RunTokens {
  /** Those of the header. */
  readonly stated: Tokens;
  readonly #run: DocumentRun;
  readonly #dispatcher: Asker;

  constructor(run: DocumentRun, dispatcher: Asker) {
    this.stated = statedTokens(run.header);
    this.#run = run;
    this.#dispatcher = dispatcher;
  }

  /** Returns at once if no contract is asked. Never rejects. */
  of(cell: Cell, answers: readonly Answer[], signal: AbortSignal): Tokens | Promise<Tokens> {
    if (!answers.some(({ request }) => mayNameTokens(request))) return this.stated;
    const lookup: Lookup = {
      stated: this.stated,
      place: this.#placeOf(cell),
      ask: (requests) => Promise.all(requests.map((request) => this.#dispatcher.ask(cell, request))),
    };
    return this.#run.support.tokenNames.of(answers, lookup, signal);
  }

  /** Returns the endpoint and chain whose contracts are asked; `undefined` if none may be. */
  #placeOf(cell: Cell): Lookup["place"] {
    const { routes, header } = this.#run;
    const resolved = routes.tokenLookup ? routes.endpointOf(cell) : undefined;
    if (!resolved || !("endpoint" in resolved) || resolved.endpoint.refuses?.includes("eth_call")) return undefined;
    const { endpoint } = resolved;
    return { endpoint: routes.memoryOf(endpoint), chainId: endpoint.chainId ?? header.chainId };
  }
}

/** Returns the tokens that a header names. */
export function statedTokens({ tokens }: Pick<HeaderValues, "tokens">): Tokens {
  return new Map([...tokens].map(([address, token]) => [address, { ...token, source: "the header" }] as const));
}
