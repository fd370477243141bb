import type { Memento } from "vscode";

const stateKey = "pickedEndpoints";
/** Documents whose pick is remembered; the oldest are forgotten first. */
const limit = 200;

/** Which endpoint was picked for a document, by the document's URI. */
export interface Picks {
  all(): Readonly<Record<string, string>>;
  /**
   * @param endpoint - `null` takes the pick back.
   * @param lasts - Whether the next session gets to know it; not for an address that seems to hold a key.
   */
  set(document: string, endpoint: string | null, lasts: boolean): void;
}

/** Remembers picks, and those that last from session to session. */
export function picks(memory: Memento): Picks {
  let session: Readonly<Record<string, string>> = memory.get(stateKey, {});
  const passing = new Set<string>();
  return {
    all: () => session,
    set(document, endpoint, lasts) {
      const { [document]: _, ...others } = session;
      session = endpoint === null ? others : { ...others, [document]: endpoint };
      if (lasts) passing.delete(document);
      else passing.add(document);
      const lasting = Object.entries(session).filter(([each]) => !passing.has(each));
      void memory.update(stateKey, Object.fromEntries(lasting.slice(-limit)));
    },
  };
}
