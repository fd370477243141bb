import { callsIn } from "./codeReader.ts";
import { type CallValue, type CodeValue, type Member, memberOf } from "./codeValue.ts";
import { type CodeRequest, headersIn, importedCode, isMethod, methodCall } from "./importCode.ts";
import type { Imported } from "./importModel.ts";

export function looksLikeJavaScript(text: string): boolean {
  return /\b(?:fetch|axios|post|send|sendAsync|request)\s*(?:<[^()]{0,200}>)?\s*\(/.test(text);
}

/**
 * Reads the requests of a script, as browsers copy them and as people write them: `fetch`, axios, and the providers of
 * ethers, viem, web3.js and wallets. Nothing runs: what has to be computed is left out with a note.
 *
 * @see https://developer.mozilla.org/docs/Web/API/fetch
 * @see https://axios-http.com/docs/api_intro
 * @see https://eips.ethereum.org/EIPS/eip-1193
 */
export function readJavaScript(text: string): Imported {
  return importedCode(callsIn(text, "javascript"), requestOf);
}

function requestOf(call: CallValue): CodeRequest | undefined {
  const { path, values, root } = call;
  const [first, second] = values;
  switch (path.replace(/^.*\./, "")) {
    case "fetch": {
      const made = first?.kind === "unknown" && !first.path?.includes(".") ? first.root : first;
      const [url, options] = made?.kind === "call" && made.path === "Request" ? made.values : values;
      return url && { call, url, headers: headersIn(membersIn(options)), body: bodyOf(options) };
    }
    case "post":
      return axios(call, first, second, values[2]);
    case "send":
    case "sendAsync":
      if (memberOf(first, "method")) return { ...methodCall(call, root ?? call, undefined), body: first };
      return isMethod(first) ? methodCall(call, first, second) : undefined;
    case "request":
      if (memberOf(first, "url") || memberOf(first, "data")) return axiosConfig(call, first);
      return isProviderRequest(first)
        ? methodCall(call, memberOf(first, "method") ?? first, memberOf(first, "params"))
        : undefined;
    default:
      if (path !== "axios" && !isInstance(call)) return undefined;
      return first?.kind === "object" ? axiosConfig(call, first) : axios(call, first, memberOf(second, "data"), second);
  }
}

/** Whether a value is `{ method: "eth_…", params }`, or may be one. */
function isProviderRequest(value: CodeValue | undefined): value is CodeValue {
  const method = memberOf(value, "method");
  return method !== undefined && (method.kind !== "text" || isMethod(method));
}

function bodyOf(options: CodeValue | undefined): CodeValue | undefined {
  if (options === undefined || options.kind === "object") return memberOf(options, "body");
  return options;
}

/** Whether the name of a call is an instance of axios: `api({ … })`. */
function isInstance({ root }: CallValue): boolean {
  return root?.kind === "call" && root.path === "axios.create";
}

function axiosConfig(call: CallValue, config: CodeValue | undefined): CodeRequest | undefined {
  return axios(call, memberOf(config, "url"), memberOf(config, "data"), config);
}

function axios(
  call: CallValue,
  url: CodeValue | undefined,
  body: CodeValue | undefined,
  config: CodeValue | undefined,
): CodeRequest | undefined {
  const isAxios = /^(?:\w+\.)*axios\b/.test(call.path) || isInstance(call);
  const isRequest = body?.kind === "text" || memberOf(body, "method") !== undefined || isBatch(body);
  if (!isAxios && !isRequest) return undefined; // another library, or a route of a server
  const own = call.root?.kind === "call" && isInstance(call) ? call.root.values[0] : undefined;
  const base = memberOf(config, "baseURL") ?? memberOf(own, "baseURL");
  const headers = [...headersIn(membersIn(own)), ...headersIn(membersIn(config))];
  return { call, url: combined(base, url) ?? call, headers, body };
}

function isBatch(value: CodeValue | undefined): boolean {
  return value?.kind === "list" && memberOf(value.items[0], "method") !== undefined;
}

function membersIn(value: CodeValue | undefined): readonly Member[] {
  if (value === undefined || value.kind === "nothing") return [];
  return value.kind === "object" ? value.members : [["headers", value]];
}

/** Joins an address as axios does. */
function combined(base: CodeValue | undefined, url: CodeValue | undefined): CodeValue | undefined {
  if (base === undefined || (url?.kind === "text" && /^(?:[a-z][\w+.-]*:)?\/\//i.test(url.text))) return url;
  if (base.kind !== "text" || url === undefined || (url.kind === "text" && url.text === "")) return base;
  if (url.kind !== "text") return url;
  return { ...base, text: `${base.text.replace(/\/?\/$/, "")}/${url.text.replace(/^\/+/, "")}` };
}
