import { isArray, isObject, type JsonValue, maxAnswerDepth, parseJson, printJson } from "../base/json.ts";
import { closingBracket, hasRepeatedMember, memberSpans, skipSpace } from "../base/jsonScan.ts";
import { type ListedItems, listOfTexts } from "../base/lazyList.ts";
import type { HttpResponse, TransportFault } from "../base/ports.ts";
import type { Span } from "../base/span.ts";
import { slice } from "../base/span.ts";
import { brief, plural } from "../base/text.ts";
import { isJson } from "../notebook/json.ts";
import { classify } from "./classify.ts";
import type { ExchangeLimits } from "./faultMessages.ts";
import { explainAnswer, explainFault } from "./faultMessages.ts";
import type { MatchedResponse, RpcError } from "./matchResponses.ts";
import { matchResponses } from "./matchResponses.ts";
import type { Exchange, Outcome, RawJson, Refused, Unreachable } from "./outcome.ts";
import type { RawRequest } from "./wire.ts";

/** The outcomes of one message. */
export interface ParsedResponse {
  /** One for each request, in order. */
  readonly outcomes: readonly Outcome[];
  /** The whole message failed: all outcomes have the same cause. */
  readonly whole: boolean;
}

/**
 * Reads the reply to a message: as JSON first, whatever the HTTP status, since gateways send JSON-RPC errors
 * with every status and web pages with 200.
 *
 * @param exchanges - One for each request, in order.
 */
export function parseResponse(
  reply: HttpResponse | TransportFault,
  requests: readonly RawRequest[],
  exchanges: readonly Exchange[],
  bounds: ExchangeLimits,
): ParsedResponse {
  const host = exchanges[0]?.host ?? "";
  if (reply.kind === "fault") {
    const { what, todo } = explainFault(reply.reason, host, reply.detail, bounds);
    return whole(exchanges.map((exchange) => unreachable(reply.reason, what, todo, exchange)));
  }
  const lazily = reply.list && parseAround(reply, reply.list, requests, exchanges, bounds);
  if (lazily) return lazily;
  const text = reply.body.startsWith("\ufeff") ? reply.body.slice(1) : reply.body;
  const succeeded = reply.status >= 200 && reply.status < 300;
  const body = parseJson(text, maxAnswerDepth);
  if (body === undefined) return readForeign(text, succeeded, requests, exchanges, bounds);
  if (hasTwoResults(text, isArray(body) ? body.length : 1))
    return faultAll("not-json-rpc", "two results for one request", exchanges);

  const plain = plainResults(body, requests, exchanges, text);
  if (plain) return { outcomes: plain, whole: false };
  const found = matchResponses(
    body,
    requests.map(({ id }) => id),
    succeeded,
  );
  if (found.kind === "whole") return refuseAll(found.error, requests, exchanges);
  if (found.kind === "foreign") {
    if (!succeeded) return refuseAll({ code: undefined, message: "", data: undefined }, requests, exchanges);
    return faultAll("not-json-rpc", found.detail, exchanges);
  }
  const outcomes = outcomesOf(found.answers, requests, exchanges, text);
  return refusedAsBatch(outcomes) ?? { outcomes, whole: outcomes.length > 1 && !isArray(body) };
}

/** Stands for a list while the JSON around it is read. No endpoint knows it. */
const placeholder = `list ${Math.random()}`;

/**
 * Reads a body without the items of its long list.
 *
 * @returns `undefined` if the list is not the result of a request, or the result is given twice.
 */
function parseAround(
  reply: HttpResponse,
  list: ListedItems,
  requests: readonly RawRequest[],
  exchanges: readonly Exchange[],
  bounds: ExchangeLimits,
): ParsedResponse | undefined {
  const body = list.around.join(printJson(placeholder));
  const { status, headers, bytes } = reply;
  const { outcomes, whole } = parseResponse(
    { kind: "response", status, headers, body, bytes },
    requests,
    exchanges,
    bounds,
  );
  const at = outcomes.findIndex((one) => one.kind === "answered" && one.result.value === placeholder);
  const found = outcomes[at];
  if (found?.kind !== "answered") return undefined;
  const result = listedJson(list);
  return { outcomes: outcomes.with(at, { ...found, result }), whole };
}

/** Larger answers, which take long to search, are not looked at. In UTF-16 code units. */
const maxSearched = 1_000_000;

/** @param answers - As many members as there are answers are not worth a closer look. */
function hasTwoResults(text: string, answers: number): boolean {
  if (text.length > maxSearched) return false;
  let count = 0;
  for (let at = text.indexOf('"result"'); at !== -1 && count <= answers; at = text.indexOf('"result"', at + 1)) count++;
  return count > answers && hasRepeatedMember(text, "result");
}

/** Reads the usual reply, a list with a result for every request in order; `undefined` for anything else. */
function plainResults(
  body: JsonValue,
  requests: readonly RawRequest[],
  exchanges: readonly Exchange[],
  text: string,
): readonly Outcome[] | undefined {
  if (!isArray(body) || body.length !== requests.length) return undefined;
  const textOf = sliceLater(text);
  const outcomes: Outcome[] = [];
  for (let index = 0; index < body.length; index++) {
    const [item, exchange] = [body[index], exchanges[index]];
    const id = requests[index]?.id;
    if (!isObject(item) || !exchange || id === undefined || item.id !== id) return undefined;
    const { result, error } = item;
    if (result === undefined || (error !== undefined && error !== null)) return undefined;
    outcomes.push({ kind: "answered", result: new Sliced(result, index, textOf), exchange });
  }
  return outcomes;
}

function outcomesOf(
  answers: readonly MatchedResponse[],
  requests: readonly RawRequest[],
  exchanges: readonly Exchange[],
  body: string,
): readonly Outcome[] {
  const textOf = sliceLater(body);
  const outcomes: Outcome[] = [];
  for (let index = 0; index < requests.length; index++) {
    const [request, answer, exchange] = [requests[index], answers[index], exchanges[index]];
    if (!request || !answer || !exchange) continue;
    if (answer.kind === "result")
      outcomes.push({ kind: "answered", result: new Sliced(answer.value, answer.item, textOf), exchange });
    else if (answer.kind === "error") outcomes.push(refused(answer.error, request, exchange));
    else outcomes.push(fault(answer.reason, answer.detail, exchange));
  }
  return outcomes;
}

/**
 * Finds the refusal of a whole batch. geth refuses one that is too large by one error under the first id; others by the same
 * error under each id.
 */
function refusedAsBatch(outcomes: readonly Outcome[]): ParsedResponse | undefined {
  const refusal = firstRefusal(outcomes);
  if (outcomes.length < 2 || refusal?.reason !== "batch-limit") return undefined;
  for (const other of outcomes) {
    const isSame = other.kind === "refused" && other.reason === "batch-limit";
    if (!isSame && (other.kind !== "unreachable" || other.reason !== "missing-in-batch")) return undefined;
  }
  return whole(outcomes.map(({ exchange }) => ({ ...refusal, exchange })));
}

function firstRefusal(outcomes: readonly Outcome[]): Refused | undefined {
  for (const outcome of outcomes) if (outcome.kind === "refused") return outcome;
  return undefined;
}

function readForeign(
  text: string,
  succeeded: boolean,
  requests: readonly RawRequest[],
  exchanges: readonly Exchange[],
  bounds: ExchangeLimits,
): ParsedResponse {
  const status = exchanges[0]?.status;
  if (!succeeded) return refuseAll({ code: undefined, message: gist(text), data: undefined }, requests, exchanges);
  if (text.trim() === "") return faultAll("not-json", `the body is empty (HTTP ${status})`, exchanges);
  if (breaksOff(text)) {
    const said = `its JSON ends after ${plural(text.length, "character")}`;
    const { what, todo } = explainFault("truncated", exchanges[0]?.host ?? "", said, bounds);
    return whole(exchanges.map((exchange) => unreachable("truncated", what, todo, exchange)));
  }
  return faultAll(
    "not-json",
    isJson(text) ? `its JSON nests more than ${maxAnswerDepth} levels deep` : described(text),
    exchanges,
  );
}

/** Returns whether a text begins as a message in JSON and ends before that does. */
function breaksOff(text: string): boolean {
  return /^\s*(?:\{\s*"|\[\s*\{)/.test(text) && closingBracket(text, skipSpace(text, 0)) === undefined;
}

function described(text: string): string {
  const page = /^\s*<(?:!doctype|html|head|body)/i.test(text);
  return `${page ? "a web page" : "text"} that says "${brief(gist(text), 80)}"`;
}

/** Returns the text of a page in one line. */
function gist(text: string): string {
  const start = text.slice(0, 4000);
  if (!/<[a-z!][^>]*>/i.test(start)) return brief(start, 300);
  const title = /<title[^>]*>([^<]*)/i.exec(start)?.[1] ?? /<h1[^>]*>([^<]*)/i.exec(start)?.[1] ?? "";
  return brief(
    title.trim() || start.replace(/<(style|script)[\s\S]*?(?:<\/\1>|$)/gi, " ").replace(/<[^>]*>?/g, " "),
    300,
  );
}

function refuseAll(error: RpcError, requests: readonly RawRequest[], exchanges: readonly Exchange[]): ParsedResponse {
  return whole(
    requests.flatMap((request, index) => {
      const exchange = exchanges[index];
      return exchange ? [refused(error, request, exchange)] : [];
    }),
  );
}

function faultAll(reason: "not-json" | "not-json-rpc", detail: string, exchanges: readonly Exchange[]): ParsedResponse {
  const sent = exchanges.length > 1 ? `${detail}, to a batch of ${plural(exchanges.length, "request")}` : detail;
  return whole(exchanges.map((exchange) => fault(reason, sent, exchange)));
}

function whole(outcomes: readonly Outcome[]): ParsedResponse {
  return { outcomes, whole: true };
}

function refused({ code, message, data }: RpcError, { method, text }: RawRequest, exchange: Exchange): Refused {
  const verdict = classify({ method, request: text, code, message, data, status: exchange.status });
  return { kind: "refused", code, method, message, data, ...verdict, exchange };
}

function fault(reason: Parameters<typeof explainAnswer>[0], detail: string, exchange: Exchange): Unreachable {
  const { what, todo } = explainAnswer(reason, exchange.host, detail);
  return unreachable(reason, what, todo, exchange);
}

function unreachable(reason: Unreachable["reason"], message: string, hint: string, exchange: Exchange): Unreachable {
  return { kind: "unreachable", reason, message, hint, exchange };
}

function listedJson(items: ListedItems): RawJson {
  return {
    value: listOfTexts(items),
    get text() {
      return items.text();
    },
  };
}

/** The texts of results, sliced from the body at the first access, once for all. */
function sliceLater(body: string): (item: number) => string {
  let spans: readonly (Span | undefined)[] | undefined;
  return (item) => {
    spans ??= memberSpans(body, "result");
    const found = spans[item];
    return found ? slice(body, found) : "null";
  };
}

class Sliced implements RawJson {
  readonly value: JsonValue;
  readonly #item: number;
  readonly #textOf: (item: number) => string;

  constructor(value: JsonValue, item: number, textOf: (item: number) => string) {
    this.value = value;
    this.#item = item;
    this.#textOf = textOf;
  }

  get text(): string {
    return this.#textOf(this.#item);
  }
}
