import { type ChainAddress, saysUnverified } from "../abi/verifiedContract.ts";
import { type JsonValue, parseJson } from "../base/json.ts";
import type { Downloads, FaultReason } from "../base/ports.ts";
import { decodeUtf8 } from "../base/text.ts";
import { explainFault } from "../rpc/faultMessages.ts";
import type { NotFound } from "./contractOnChain.ts";

/** What a lookup asks with. */
export interface Lookup {
  /** URL of an API like that of Sourcify, without a slash at the end. */
  readonly api: string;
  readonly downloads: Downloads;
  readonly signal: AbortSignal;
}

const limits = { timeoutMs: 20_000, maxBytes: 10_000_000 };

/**
 * Asks a lookup host for members of what it knows about a contract.
 *
 * @param read - Returns why the answer cannot be used, as a clause.
 */
export async function askLookupHost<Answer extends object>(
  place: ChainAddress,
  fields: readonly string[],
  read: (json: JsonValue | undefined, place: ChainAddress) => Answer | string,
  { api, downloads, signal }: Lookup,
): Promise<Answer | NotFound> {
  const { host } = new URL(api);
  const { chainId, address } = place;
  const url = `${api}/v2/contract/${chainId}/${address}?fields=${fields.join(",")}`;
  const answer = await downloads.get({ url, ...limits, readsNotFound: true }, signal);
  if (typeof answer === "number") return statusFault(answer, host);
  if (!(answer instanceof Uint8Array)) {
    if (answer.reason === "cancelled") return failed("The lookup was cancelled.", "Nothing was saved.");
    const { what } = explainFault(answer.reason, host, answer.detail, limits);
    return failed(what, whatToDo[answer.reason]);
  }
  const json = parseJson(decodeUtf8(answer) ?? "");
  if (saysUnverified(json, place)) return unverified(place, api);
  const found = read(json, place);
  return typeof found === "string" ? failed(`The answer of ${host} cannot be used: ${found}.`, isOther) : found;
}

export function failed(what: string, todo: string): NotFound {
  return { what, todo, reason: "failed" };
}

export function unverified({ chainId, address }: ChainAddress, api: string): NotFound {
  return {
    what: `${new URL(api).host} has no verified sources of ${address} on chain ${chainId}.`,
    todo: "Name its ABI in the notebook.",
    reason: "unverified",
  };
}

const later = "Try again later. If it still fails, use another lookup host.";
const isOther = "Check the address of the lookup host: it must serve the API of Sourcify, version 2.";
const network = "Check the network and the address of the lookup host.";

/** Explains an HTTP status without an answer of the API. */
function statusFault(status: number, host: string): NotFound {
  const code = `(HTTP ${status})`;
  if (status >= 300 && status < 400)
    return failed(
      `${host} answered with a redirect, which a lookup does not follow ${code}.`,
      "Use the address that it points to as lookup host, if you trust it.",
    );
  if (status === 400)
    return failed(`${host} does not accept the question ${code}. It may not know this chain.`, "Check the chain id.");
  if (status === 401 || status === 403)
    return failed(
      `${host} refuses to answer ${code}.`,
      "It may block this network or need an account. Use another lookup host.",
    );
  if (status === 407)
    return failed(`The proxy on the way to ${host} needs credentials ${code}.`, "Check the settings of the proxy.");
  if (status === 429)
    return failed(`${host} limits requests and refused this one ${code}.`, "Wait a minute, then try again.");
  if (status === 408 || status >= 500) return failed(`${host} has a failure ${code}.`, later);
  return failed(`${host} gave an answer that the API does not have ${code}.`, isOther);
}

/** What to do after a fault of the network. */
const whatToDo: Readonly<Record<FaultReason, string>> = {
  cancelled: "Try again.",
  cors: "Use a lookup host that allows this page, or a desktop editor.",
  dns: network,
  "large-headers": isOther,
  "no-socket": network,
  proxy: "Check `http.proxy` or the proxy environment variables.",
  redirect: "Use the address that it points to as lookup host, if you trust it.",
  refused: network,
  reset: later,
  timeout: later,
  tls: "Check the address of the lookup host, and which certificates this machine trusts.",
  "too-large": "Use another lookup host, or name the ABI of the contract in the notebook.",
  truncated: later,
  unsendable: network,
};
