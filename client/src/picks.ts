import type { Memento } from "vscode";

const stateKey = "pickedEndpoints";
/** Picks that are remembered. The oldest are dropped first. */
const maxPicks = 200;

/** The endpoint that was picked for each document, by the document's URI. */
export type Picks = ReturnType<typeof picks>;

/** Remembers picks, and those that last from session to session. */
export function picks(memory: Memento) {
  let session: Readonly<Record<string, string>> = memory.get(stateKey, {});
  const temporary = new Set<string>();
  return {
    all: (): Readonly<Record<string, string>> => session,
    /** Whether the pick of a document is remembered for the next session. */
    lasts: (document: string): boolean => !temporary.has(document),
    /**
     * @param endpoint - `null` removes the pick.
     * @param lasts - Whether to remember it for the next session: not for an address that seems to contain a key.
     */
    set(document: string, endpoint: string | null, lasts: boolean): void {
      const { [document]: _, ...others } = session;
      session = endpoint === null ? others : { ...others, [document]: endpoint };
      if (lasts) temporary.delete(document);
      else temporary.add(document);
      const lasting = Object.entries(session).filter(([each]) => !temporary.has(each));
      void memory.update(stateKey, Object.fromEntries(lasting.slice(-maxPicks)));
    },
  };
}
