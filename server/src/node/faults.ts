import type { FaultReason } from "../base/ports.ts";
import { ProxyFault } from "./tunnel.ts";

/** Says why an exchange failed, without the platform's message, which can contain URLs and credentials. */
export interface Cause {
  readonly reason: FaultReason;
  readonly detail: string;
}

/** Codes of Node and OpenSSL that say what is wrong without their context. */
const causes: Readonly<Record<string, Cause>> = {
  ECONNREFUSED: { reason: "refused", detail: "connection refused" },
  EHOSTUNREACH: { reason: "refused", detail: "no route to the host" },
  ENETUNREACH: { reason: "refused", detail: "the network cannot be reached" },
  EADDRNOTAVAIL: { reason: "refused", detail: "not an address to connect to" },
  EACCES: { reason: "refused", detail: "this system does not allow the connection" },
  EPERM: { reason: "refused", detail: "this system does not allow the connection" },
  ENOTFOUND: { reason: "dns", detail: "" },
  EAI_AGAIN: { reason: "dns", detail: "the name service does not answer" },
  EAI_FAIL: { reason: "dns", detail: "the name service failed" },
  ENODATA: { reason: "dns", detail: "" },
  ETIMEDOUT: { reason: "timeout", detail: "" },
  HPE_HEADER_OVERFLOW: { reason: "large-headers", detail: "" },
  ERR_INVALID_HTTP_TOKEN: { reason: "unsendable", detail: "the name of a header is not valid" },
  ERR_UNESCAPED_CHARACTERS: { reason: "unsendable", detail: "the address is not valid" },
  ERR_INVALID_ARG_TYPE: { reason: "unsendable", detail: "a header is not valid" },
  ERR_INVALID_CHAR: { reason: "unsendable", detail: "a header contains a character that HTTP does not allow" },
  ERR_INVALID_URL: { reason: "unsendable", detail: "the address is not valid" },
  DEPTH_ZERO_SELF_SIGNED_CERT: { reason: "tls", detail: "its certificate is self-signed" },
  SELF_SIGNED_CERT_IN_CHAIN: {
    reason: "tls",
    detail: "its certificate comes from an authority that this system does not trust",
  },
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: { reason: "tls", detail: "its certificate cannot be verified" },
  UNABLE_TO_GET_ISSUER_CERT: { reason: "tls", detail: "the issuer of its certificate is unknown" },
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: {
    reason: "tls",
    detail: "this system does not know the issuer of its certificate",
  },
  CERT_HAS_EXPIRED: { reason: "tls", detail: "its certificate has expired" },
  CERT_NOT_YET_VALID: { reason: "tls", detail: "its certificate is not valid yet" },
  CERT_REVOKED: { reason: "tls", detail: "its certificate was revoked" },
  ERR_TLS_CERT_ALTNAME_INVALID: { reason: "tls", detail: "its certificate is for another host" },
  ERR_SSL_WRONG_VERSION_NUMBER: { reason: "tls", detail: "it does not speak TLS" },
  ERR_SSL_PACKET_LENGTH_TOO_LONG: { reason: "tls", detail: "it does not speak TLS" },
};

/** Codes of connections that ended. What they mean depends on how far the answer had come. */
const broken = new Set(["ECONNRESET", "EPIPE", "ECONNABORTED"]);

/** @param answered - Whether the status line had come. */
export function causeOf(error: unknown, answered: boolean): Cause {
  if (error instanceof ProxyFault) {
    return { reason: "proxy", detail: error.status === undefined ? "" : `the proxy answered HTTP ${error.status}` };
  }
  const chain = causeChain(error);
  for (const { code } of chain) {
    const known = causes[code];
    if (known) return known;
  }
  const [first = { code: "" }] = chain;
  const codes = chain.map(({ code }) => code);
  if (codes.some((code) => code.startsWith("HPE_"))) return { reason: "truncated", detail: "it is not valid HTTP" };
  if (codes.some((code) => /^(?:ERR_SSL_|ERR_TLS_|EPROTO$|CERT_)/.test(code)))
    return { reason: "tls", detail: first.code };
  if (codes.some((code) => broken.has(code))) return { reason: answered ? "truncated" : "reset", detail: "" };
  return { reason: answered ? "truncated" : "reset", detail: first.code };
}

/** Lists the codes of an error and its causes, and of each attempt if there were several (IPv4 and IPv6). */
function causeChain(error: unknown): readonly { readonly code: string }[] {
  const chain: { readonly code: string }[] = [];
  const open: unknown[] = [error];
  for (let next = open.shift(); next instanceof Error && chain.length < 10; next = open.shift()) {
    const code = "code" in next && typeof next.code === "string" ? next.code : "";
    chain.push({ code });
    if (next instanceof AggregateError) open.push(...next.errors);
    if (next.cause !== undefined) open.push(next.cause);
  }
  return chain;
}
