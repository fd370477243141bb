import { callsIn } from "./codeReader.ts";
import { nameAt, signAt } from "./codeScopes.ts";
import { tokensOf } from "./codeTokens.ts";
import { type CallValue, type CodeValue, memberNamed, memberOf } from "./codeValue.ts";
import { type CodeRequest, headersIn, importedCode, isMethod, leftOut, methodCall } from "./importCode.ts";
import type { Imported, Note } from "./importModel.ts";

export function looksLikePython(text: string): boolean {
  return /\b(?:post|request|Request|make_request|request_blocking)\s*\(/.test(text);
}

/**
 * Reads the requests of a Python script: requests, httpx, aiohttp, urllib and web3.py. Nothing runs: what has to be computed
 * is left out with a note.
 *
 * @see https://requests.readthedocs.io/en/latest/api/#requests.post
 * @see https://web3py.readthedocs.io/en/stable/providers.html
 */
export function readPython(text: string): Imported {
  const read = importedCode(callsIn(text, "python"), requestOf);
  return { ...read, notes: [...read.notes, ...propertiesIn(text)].sort((a, b) => a.at - b.at) };
}

/** Properties of `w3.eth` that ask a node when they are read. */
const asking =
  /^(?:accounts|blob_base_fee|block_number|chain_id|coinbase|gas_price|get_work|hashrate|max_priority_fee|mining|syncing)$/;

function propertiesIn(text: string): readonly Note[] {
  const tokens = tokensOf(text, "python");
  return tokens.flatMap((token, index): readonly Note[] => {
    if (token.kind !== "name" || !asking.test(token.text)) return [];
    const isOfEth = nameAt(tokens, index - 2) === "eth" && signAt(tokens, index - 1) === ".";
    const isAsked = isOfEth && !/^[(=]$/.test(signAt(tokens, index + 1) ?? "");
    return isAsked ? [{ at: token.at, severity: "note", what: leftOut(`eth.${token.text}`) }] : [];
  });
}

function requestOf(call: CallValue): CodeRequest | undefined {
  const { path, values, named } = call;
  const [first, second, third] = values;
  const body = bodyOf(call);
  const url = memberNamed(named, "url") ?? first;
  const headers = headersIn(named);
  switch (path.replace(/^.*\./, "")) {
    case "post":
      return sent({ call, url, headers, body: body ?? third ?? second });
    case "Request":
      return body || second ? sent({ call, url, headers, body: body ?? second }) : undefined;
    case "request": {
      const method = memberNamed(named, "method") ?? first;
      const isPost = method?.kind === "text" && /^post$/i.test(method.text);
      return isPost ? sent({ call, url: memberNamed(named, "url") ?? second, headers, body }) : undefined;
    }
    case "make_request":
    case "request_blocking": {
      const method = memberNamed(named, "method") ?? first;
      const params = memberNamed(named, "params") ?? second;
      if (method?.kind === "text" && !isMethod(method)) return undefined;
      return method && methodCall(call, method, params);
    }
    default:
      return undefined;
  }
}

function bodyOf({ named }: CallValue): CodeValue | undefined {
  return memberNamed(named, "json") ?? memberNamed(named, "data") ?? memberNamed(named, "content");
}

/** Leaves out what is not sent to a node: forms, and calls of other libraries. */
function sent(request: CodeRequest): CodeRequest | undefined {
  const { body, call } = request;
  const isKnown = /^(?:requests|httpx|aiohttp)\b/.test(call.path);
  const isRequest = body?.kind === "text" || memberOf(body, "method") !== undefined || body?.kind === "list";
  return isKnown || isRequest || body?.kind === "unknown" ? request : undefined;
}
