import { type JsonValue, printJson } from "../base/json.ts";
import type { RawRequest } from "./wire.ts";

/** A request that the server makes itself, beside those of cells. */
export interface OwnRequest extends RawRequest {
  readonly id: number;
  readonly params: JsonValue;
}

/** Requests of cells count from 1 in each run, so they stay below this, and both kinds can share a batch or a socket. */
const firstId = 1_000_000_000;

let lastId = firstId - 1;

/** Returns whether an id, as it is written, is one of {@link ownRequest}. */
export function isOwnId(id: string | undefined): boolean {
  return id !== undefined && /^\d{10,15}$/.test(id) && Number(id) >= firstId;
}

/** Makes a request under an id that no other request of this process has. */
export function ownRequest(method: string, params: JsonValue): OwnRequest {
  const id = ++lastId;
  return { text: printJson({ jsonrpc: "2.0", id, method, params }), id, method, params };
}
