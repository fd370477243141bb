import type { FaultReason } from "../base/ports.ts";
import { brief } from "../base/text.ts";
import { formatBytes, formatDuration } from "../base/units.ts";
import type { Unreachable } from "./outcome.ts";

/** Messages for requests without an answer: what happened and what to do. They name the host, never the URL. */
export interface Explanation {
  readonly what: string;
  readonly todo: string;
}

export interface ExchangeLimits {
  readonly timeoutMs: number;
  readonly maxBytes: number;
}

/** @param detail - The transport's message, or empty. */
export function explainFault(reason: FaultReason, host: string, detail: string, bounds: ExchangeLimits): Explanation {
  const said = detail === "" ? "" : ` (${brief(detail, 200)})`;
  switch (reason) {
    case "cancelled":
      return { what: "The request was cancelled.", todo: "Run it again when you want the answer." };
    case "cors":
      return {
        what: `The browser got no answer from ${host} that it may read${said}.`,
        todo: "In a browser the endpoint has to allow this page (CORS: Access-Control-Allow-Origin). Use an endpoint that does, or open the folder in a desktop editor.",
      };
    case "dns":
      return { what: `No host is called ${host}${said}.`, todo: "Check the endpoint's address, and the network." };
    case "no-socket":
      return {
        what: `${host} opens no WebSocket here${said}.`,
        todo: "Set `ws` of the endpoint to its WebSocket address (wss://…), or choose an endpoint that has one.",
      };
    case "proxy":
      return {
        what: `The proxy on the way to ${host} refused or failed${said}.`,
        todo: "Check `http.proxy` or the proxy environment variables; add the host to `http.noProxy` or NO_PROXY to go there directly.",
      };
    case "redirect":
      return {
        what: `${host} answered with a redirect that is not followed${said}.`,
        todo: "Put the address that it points to into the endpoint, if you trust it.",
      };
    case "refused":
      return { what: `Nothing answers at ${host}${said}.`, todo: "Start the node there, or choose another endpoint." };
    case "reset":
      return {
        what: `${host} closed the connection before it answered${said}.`,
        todo: "Run it again; if it stays so, check the endpoint.",
      };
    case "timeout":
      return {
        what: `${host} gave no whole answer within ${formatDuration(bounds.timeoutMs)}.`,
        todo: "Ask for less at once, or raise the timeout (setting `rpcNotebook.timeout`, option --timeout).",
      };
    case "tls":
      return {
        what: `No secure connection to ${host}${said}.`,
        todo: "Check that the address begins with the right one of http and https, and the certificate; NODE_EXTRA_CA_CERTS adds an authority of your own.",
      };
    case "too-large":
      return {
        what: `The answer of ${host} is larger than ${formatBytes(bounds.maxBytes)}${said}.`,
        todo: "Ask for less at once, or raise `rpcNotebook.maxResponseSize`.",
      };
    case "truncated":
      return {
        what: `The answer of ${host} broke off${said}.`,
        todo: "Run it again; if it stays so, ask for less at once.",
      };
    case "unsendable":
      return {
        what: `This request to ${host} cannot be sent${said}.`,
        todo: "Check the endpoint's address and headers.",
      };
  }
}

type AnswerFault = Exclude<Unreachable["reason"], FaultReason>;

/** @param detail - The answer in a clause without a full stop. */
export function explainAnswer(reason: AnswerFault, host: string, detail: string): Explanation {
  switch (reason) {
    case "not-json":
      return {
        what: `${host} answered, but not with JSON: ${brief(detail, 200)}.`,
        todo: "Check that the address is that of a JSON-RPC endpoint, path and key included.",
      };
    case "not-json-rpc":
      return {
        what: `${host} answered with ${brief(detail, 200)}.`,
        todo: "Check that the address is that of a JSON-RPC endpoint, path and key included.",
      };
    case "wrong-id":
      return {
        what: `The answer of ${host} cannot be matched to this request: ${brief(detail, 200)}.`,
        todo: "Run it again; if it stays so, the endpoint mixes answers up and cannot be trusted.",
      };
    case "missing-in-batch":
      return {
        what: `${host} left this request unanswered: ${brief(detail, 200)}.`,
        todo: 'Run it alone, or set "batch": false for this endpoint.',
      };
  }
}
