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
export function explainFault(reason: FaultReason, host: string, detail: string, limits: ExchangeLimits): Explanation {
  return messages[reason](host, detail === "" ? "" : ` (${brief(detail, 200)})`, limits);
}

type FaultMessage = (host: string, said: string, limits: ExchangeLimits) => Explanation;

const messages: Readonly<Record<FaultReason, FaultMessage>> = {
  cancelled: () => ({ what: "The request was cancelled.", todo: "Run it again when you want the answer." }),
  cors: (host, said) => ({
    what: `The browser may not read the answer from ${host}${said}.`,
    todo: "In a browser the endpoint has to allow this page (CORS: Access-Control-Allow-Origin). Use an endpoint that does, or open the folder in a desktop editor.",
  }),
  dns: (host, said) => ({
    what: `Unknown host ${host}${said}.`,
    todo: "Check the endpoint's address, and the network.",
  }),
  "large-headers": (host) => ({
    what: `${host} sent more than 16 kB of HTTP headers.`,
    todo: "Check the endpoint's address: a JSON-RPC endpoint sends few headers.",
  }),
  "no-socket": (host, said) => ({
    what: `${host} does not accept WebSockets here${said}.`,
    todo: "Set `ws` of the endpoint to its WebSocket address (wss://…), or choose an endpoint that has one.",
  }),
  proxy: (host, said) => ({
    what: `The proxy on the way to ${host} refused or failed${said}.`,
    todo: "Check `http.proxy` or the proxy environment variables; add the host to `http.noProxy` or NO_PROXY to go there directly.",
  }),
  redirect: (host, said) => ({
    what: `${host} answered with a redirect that is not followed${said}.`,
    todo: "Put the address that it points to into the endpoint, if you trust it.",
  }),
  refused: (host, said) => ({
    what: `Nothing answers at ${host}${said}.`,
    todo: "Start the node there, or choose another endpoint.",
  }),
  reset: (host, said) => ({
    what: `${host} closed the connection before it answered${said}.`,
    todo: "Run it again; if it still fails, check the endpoint.",
  }),
  timeout: (host, _said, limits) => ({
    what: `${host} gave no complete answer within ${formatDuration(limits.timeoutMs)}.`,
    todo: "Ask for less at once, or raise the timeout (`rpcNotebook.timeout` in the editor, `--timeout` on the command line).",
  }),
  tls: (host, said) => ({
    what: `No secure connection to ${host}${said}.`,
    todo: "Check whether the address should begin with http or https, and check the certificate; NODE_EXTRA_CA_CERTS adds an authority of your own.",
  }),
  "too-large": (host, said, limits) => ({
    what: `The answer from ${host} is larger than ${formatBytes(limits.maxBytes)}${said}.`,
    todo: "Ask for less at once, or raise `rpcNotebook.maxResponseSize` in the editor.",
  }),
  truncated: (host, said) => ({
    what: `The answer from ${host} was cut off${said}.`,
    todo: "Run it again; if it still fails, ask for less at once.",
  }),
  unsendable: (host, said) => ({
    what: `This request to ${host} cannot be sent${said}.`,
    todo: "Check the endpoint's address and headers, and whether requests may go there.",
  }),
};

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
        what: `The answer from ${host} cannot be matched to this request: ${brief(detail, 200)}.`,
        todo: "Run it again; if it still fails, the endpoint mixes up answers and cannot be trusted.",
      };
    case "missing-in-batch":
      return {
        what: `${host} left this request unanswered: ${brief(detail, 200)}.`,
        todo: 'Run it alone, or set "batch": false for this endpoint.',
      };
  }
}
