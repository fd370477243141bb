import type { Memento } from "vscode";
import { addressFault, looksPrivate } from "./endpointText.ts";

const stateKey = "pickedEndpoints";
/** Documents whose pick is remembered; the oldest are forgotten first. */
const limit = 200;

/** Which endpoint was picked for a document, by the document's URI. */
export interface Picks {
  all(): Readonly<Record<string, string>>;
  /** `null` takes the pick back. */
  set(document: string, endpoint: string | null): void;
}

/** Remembers picks from session to session, but never an address that seems to hold a key. */
export function picks(memory: Memento): Picks {
  let session: Readonly<Record<string, string>> = memory.get(stateKey, {});
  return {
    all: () => session,
    set(document, endpoint) {
      const { [document]: _, ...others } = session;
      session = endpoint === null ? others : { ...others, [document]: endpoint };
      const lasting = Object.entries(session).filter(([, name]) => !isPrivate(name));
      void memory.update(stateKey, Object.fromEntries(lasting.slice(-limit)));
    },
  };
}

function isPrivate(endpoint: string): boolean {
  return addressFault(endpoint) === undefined && looksPrivate(endpoint);
}
