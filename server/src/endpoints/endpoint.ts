import { quantity } from "../base/hex.ts";
import type { JsonObject, JsonValue } from "../base/json.ts";
import { isArray, isObject } from "../base/json.ts";
import { listed } from "../base/text.ts";
import { fillText, type HostReference, type ValueOf } from "./hostValue.ts";
import { isHostName, isInClear, lookupApi, recordingSuffix } from "./site.ts";

export interface Endpoint {
  /** Safe to show: the host for a bare URL. */
  readonly name: string;
  /** May hold a key: never shown, never logged. */
  readonly url: string;
  /** Host and port. */
  readonly host: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly ws: string | undefined;
  readonly chainId: bigint | undefined;
  /** Its `pending` is ahead of its `latest`. */
  readonly preconfirmed: boolean | undefined;
  /** The largest toBlock − fromBlock that `eth_getLogs` accepts. */
  readonly logRange: bigint | undefined;
  /** Requests in a batch; `false` if it refuses batches. */
  readonly batch: number | false | undefined;
  /** Requests a second. */
  readonly rate: number | undefined;
  readonly refuses: readonly string[];
  /** Address of a block explorer. */
  readonly explorer: string | undefined;
  /** The host that looks up contracts on its chain: URL without a slash at the end. Nobody has approved it. */
  readonly contracts: string | undefined;
  /** The recording that its entry names; it is not open yet. */
  readonly recorded?: RecordedEntry | undefined;
  /** Id of the open recording that answers first. */
  readonly replay?: string | undefined;
  /** Values of the host in address and headers, except one that contains the host name itself. */
  readonly carries: readonly HostReference[];
}

/** An entry that names a recording. */
export interface RecordedEntry {
  /** Relative to the folder of the file that names it. */
  readonly path: string;
  /** Name of the endpoint that answers what was not recorded. */
  readonly else: string | undefined;
}

/**
 * - `bad-endpoint`: a value of the wrong form.
 * - `bad-endpoint-address`: an address that requests cannot be sent to.
 * - `unset-endpoint-value`: a value of the host that is not set on this machine.
 * - `unknown-endpoint-key`: the only one with which the endpoint stays usable.
 */
export type EndpointMistakeCode =
  | "bad-endpoint"
  | "bad-endpoint-address"
  | "unset-endpoint-value"
  | "unknown-endpoint-key";

/** A mistake in the description of an endpoint. */
export interface EndpointMistake {
  readonly code: EndpointMistakeCode;
  /** The path of the wrong value. */
  readonly path: readonly string[];
  /** A clause without a full stop. It never quotes values, which may be secret. */
  readonly what: string;
}

/** Returns whether the endpoint cannot be used because of it. */
export function breaks({ code }: EndpointMistake): boolean {
  return code !== "unknown-endpoint-key";
}

export interface ParsedEndpoint {
  /** `undefined` if it has an error. */
  readonly endpoint: Endpoint | undefined;
  readonly mistakes: readonly EndpointMistake[];
}

/**
 * Reads an endpoint as files and settings write it: a URL, or an object with `url` or `replay`.
 *
 * @param hostValue - Values of `{{$env.NAME}}` and the like in addresses and headers.
 */
export function readEndpoint(name: string, value: JsonValue, hostValue: ValueOf = () => undefined): ParsedEndpoint {
  const mistakes: EndpointMistake[] = [];
  const carries: HostReference[] = [];
  const report = (key: string | undefined, what: string, code: EndpointMistakeCode = "bad-endpoint"): undefined => {
    mistakes.push({ code, path: key === undefined ? [] : key.split("\n"), what });
  };
  if (typeof value !== "string" && !isObject(value)) {
    report(undefined, "an endpoint is a URL, or an object with `url` or `replay`");
    return { endpoint: undefined, mistakes };
  }
  const parts = typeof value === "string" ? { url: value } : value;
  const at = (key: string): string | undefined => (typeof value === "string" ? undefined : key);
  for (const key of Object.keys(parts))
    if (!knownKeys.has(key)) report(key, `unknown setting \`${key}\``, "unknown-endpoint-key");

  const address = (key: "url" | "ws" | "explorer", protocols: readonly string[], where = key as string | undefined) => {
    const found = readUrl(parts[key], protocols, hostValue, (what, code) => report(where, what, code));
    if (key !== "explorer") carries.push(...(found?.carries ?? []));
    return found?.url;
  };
  const recorded = isObject(value) && value.replay !== undefined ? readRecorded(value, report) : undefined;
  const url = recorded ? undefined : address("url", ["http:", "https:", "ws:", "wss:"], at("url"));
  const read = <T>(key: string, of: (value: JsonValue) => T | undefined, what: string): T | undefined => {
    const found = parts[key];
    return found === undefined ? undefined : (of(found) ?? report(key, what));
  };
  const endpoint = {
    name,
    url: url?.href ?? "",
    host: url?.host ?? "",
    headers: readHeaders(parts.headers, hostValue, carries, report),
    ws: parts.ws === undefined ? undefined : address("ws", ["ws:", "wss:"])?.href,
    chainId: read("chainId", wholeNumber, 'a chain id is a number, or a quantity such as "0x7a69"'),
    preconfirmed: read("preconfirmed", flag, "expected true or false"),
    logRange: read("logRange", wholeNumber, "expected a number, the greatest toBlock − fromBlock"),
    batch: read("batch", batchSize, "expected a number of requests, or false if the endpoint does not accept batches"),
    rate: read("rate", positive, "expected a number of requests per second"),
    refuses: read("refuses", names, "expected a list of methods") ?? [],
    explorer: parts.explorer === undefined ? undefined : address("explorer", ["http:", "https:"])?.href,
    contracts: read(
      "contracts",
      (value) => (typeof value === "string" ? lookupApi(value) : undefined),
      'expected the https URL of a lookup host, such as "https://sourcify.dev/server"',
    ),
    ...(recorded && { recorded }),
    carries,
  };
  return {
    endpoint: mistakes.some(breaks)
      ? undefined
      : { ...endpoint, batch: endpoint.batch === true ? undefined : endpoint.batch },
    mistakes,
  };
}

/** Only a path that ends like a recording is read: an entry of a repository names no other file. */
function readRecorded(
  { replay, else: other, url }: JsonObject,
  report: (key: string, what: string) => undefined,
): RecordedEntry {
  if (typeof replay !== "string" || !replay.endsWith(recordingSuffix) || /^[a-z][\w+.-]*:|^[/\\]/i.test(replay))
    report("replay", `expected the relative path of a recording, ending in ${recordingSuffix}`);
  if (url !== undefined) report("url", "an entry has `url` or `replay`, and `else` names an endpoint with a `url`");
  if (other !== undefined && typeof other !== "string") report("else", "expected the name of another endpoint");
  return { path: String(replay), else: typeof other === "string" ? other : undefined };
}

const knownKeys = new Set([
  "url",
  "replay",
  "else",
  "ws",
  "headers",
  "chainId",
  "preconfirmed",
  "logRange",
  "batch",
  "rate",
  "refuses",
  "explorer",
  "contracts",
]);

function readUrl(
  value: JsonValue | undefined,
  protocols: readonly string[],
  hostValue: ValueOf,
  report: (what: string, code: EndpointMistakeCode) => undefined,
): { readonly url: URL; readonly carries: readonly HostReference[] } | undefined {
  // The usual schemes: the address of a WebSocket alone is accepted, but rarely intended
  const usual = protocols.slice(0, 2).map((protocol) => `${protocol}//`);
  const expected = `expected an address beginning with ${listed(usual, "or")}`;
  const bad = (what: string): undefined => report(what, "bad-endpoint-address");
  if (typeof value !== "string") return bad(expected);
  if (/\$\{\w*\}/.test(value))
    return bad("shell variables are not read here: write `{{$env.NAME}}`, `{{$dotenv.NAME}}` or `{{$secret.NAME}}`");
  const filled = fillText(value, hostValue);
  if ("what" in filled) return report(filled.what, filled.unset ? "unset-endpoint-value" : "bad-endpoint-address");
  if (!URL.canParse(filled.text)) return bad(expected);
  const url = new URL(filled.text);
  if (!protocols.includes(url.protocol)) return bad(expected);
  if (!isHostName(url)) return bad("the host is not a valid name");
  const { references, begins } = filled;
  return { url, carries: isOwn(begins, url) ? references.slice(1) : references };
}

/**
 * Returns whether a value is a whole address: the person who set it has chosen the host. Not if anyone on the
 * network could read the rest of it.
 */
function isOwn(value: string | undefined, { host }: URL): boolean {
  if (value === undefined || !URL.canParse(value) || new URL(value).host !== host) return false;
  const { href, origin } = new URL(value);
  return !isInClear(href) || href === `${origin}/`;
}

/** Headers of the transport: other values would break the message. */
const ownHeaders = new Set([
  "host", // another host than in the address would need its own approval
  "content-length",
  "transfer-encoding",
  "connection",
  "expect",
  "upgrade",
  "te",
  "trailer",
  "accept-encoding",
]);

function readHeaders(
  value: JsonValue | undefined,
  hostValue: ValueOf,
  carries: HostReference[],
  report: (key: string, what: string, code?: EndpointMistakeCode) => undefined,
): Readonly<Record<string, string>> {
  if (value === undefined) return {};
  if (!isObject(value)) return report("headers", "expected an object, header → value") ?? {};
  const headers: Record<string, string> = {};
  for (const [name, text] of Object.entries(value)) {
    const key = `headers\n${name}`;
    if (!/^[!#$%&'*+.^_`|~\w-]+$/.test(name)) report(key, "HTTP does not allow this header name");
    else if (ownHeaders.has(name.toLowerCase())) report(key, "this header is set by the transport");
    else if (typeof text !== "string") report(key, "a header is a string");
    else {
      const filled = fillText(text, hostValue);
      if ("what" in filled) report(key, filled.what, filled.unset ? "unset-endpoint-value" : "bad-endpoint");
      else if (!/^[\t\x20-\x7e\x80-\xff]*$/.test(filled.text))
        report(key, "this has a character that HTTP does not allow in headers");
      else {
        headers[name] = filled.text;
        carries.push(...filled.references);
      }
    }
  }
  return headers;
}

function wholeNumber(value: JsonValue): bigint | undefined {
  const found = typeof value === "string" && /^\d{1,40}$/.test(value) ? BigInt(value) : quantity(value);
  return found !== undefined && found >= 0n ? found : undefined;
}

function flag(value: JsonValue): boolean | undefined {
  return typeof value === "boolean" ? value : undefined;
}

function batchSize(value: JsonValue): number | boolean | undefined {
  if (typeof value === "boolean") return value;
  if (typeof value !== "number" || !Number.isInteger(value) || value < 1) return undefined;
  return value === 1 ? false : value;
}

function positive(value: JsonValue): number | undefined {
  return typeof value === "number" && value > 0 ? value : undefined;
}

function names(value: JsonValue): readonly string[] | undefined {
  return isArray(value) && value.every((item) => typeof item === "string") ? value : undefined;
}
