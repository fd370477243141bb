import { isObject, parseJson } from "../base/json.ts";
import { gate } from "../gate/verdict.ts";
import type { LocalPortParams, LocalPortResult } from "../protocol/endpoints.ts";
import type { Host } from "./host.ts";

/** Milliseconds that a port has to answer: the program is on this machine. */
const maxWaitMs = 2_000;
const maxBytes = 10_000;

/** Finds out what listens at a port of this machine, for a person who starts a local chain. Sends `eth_chainId`. */
export async function localPort(
  { port }: LocalPortParams,
  { transport, trusted }: Pick<Host, "transport" | "trusted">,
  signal: AbortSignal,
): Promise<LocalPortResult> {
  const url = `http://127.0.0.1:${port}`;
  const mayAsk = Number.isInteger(port) && port > 0 && port < 65_536;
  const passage = { trusted, grants: new Set<string>(), url, namedBy: "picker", values: [] } as const;
  if (!mayAsk || gate({ ...passage, hasHeaders: false, byPerson: true }).verdict !== "open")
    return { state: "unknown" };
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "eth_chainId", params: [] });
  const headers = { "content-type": "application/json" };
  const request = { url, headers, body, timeoutMs: maxWaitMs, maxBytes, repeatable: true };
  const answer = await transport.post(request, signal);
  if (answer.kind === "fault") return { state: answer.reason === "refused" ? "free" : "taken" };
  const message = parseJson(answer.body);
  return { state: isObject(message) && typeof message.result === "string" ? "chain" : "taken" };
}
