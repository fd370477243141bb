import type { Memento } from "vscode";

const stateKey = "pickedEndpoints";
/** Picks that are remembered. The oldest are dropped first. */
const maxPicks = 200;

/** The endpoint that was picked for each document, by the document's URI. */
export interface Picks {
  all(): Readonly<Record<string, string>>;
  /**
   * @param endpoint - `null` removes the pick.
   * @param lasts - Whether to remember it for the next session: not for an address that seems to contain a key.
   */
  set(document: string, endpoint: string | null, lasts: boolean): void;
}

/** Remembers picks, and those that last from session to session. */
export function picks(memory: Memento): Picks {
  let session: Readonly<Record<string, string>> = memory.get(stateKey, {});
  const temporary = new Set<string>();
  return {
    all: () => session,
    set(document, endpoint, lasts) {
      const { [document]: _, ...others } = session;
      session = endpoint === null ? others : { ...others, [document]: endpoint };
      if (lasts) temporary.delete(document);
      else temporary.add(document);
      const lasting = Object.entries(session).filter(([each]) => !temporary.has(each));
      void memory.update(stateKey, Object.fromEntries(lasting.slice(-maxPicks)));
    },
  };
}
