import { type Memento, Uri } from "vscode";
import { parseJson } from "../../server/src/base/json.ts";
import { replaceFile, textOf } from "./replaceFile.ts";

/** Approvals of a person in this workspace, from all sessions and windows: hosts, and values that may be sent to them. */
export interface Approvals {
  /** Returns them as they were read last. */
  list(): readonly string[];
  /**
   * Reads them again: another window of the workspace may have changed them.
   *
   * @returns Whether some have been revoked since they were read last.
   */
  read(): Promise<boolean>;
  /** Also for a host that a person types: that is an approval. Lasts for this session if it cannot be written. */
  add(...grants: readonly string[]): Promise<void>;
  /** Removes these. */
  revoke(...grants: readonly string[]): Promise<void>;
}

/** Where earlier versions kept them, and where they are if no workspace is open. */
const stateKey = "approvedHosts";

/** Attempts to change the file. Another one is needed each time that another window was faster. */
const maxAttempts = 20;

/**
 * Keeps approvals in a file. Each window has a copy of `workspaceState` and writes back all of it, also what another window has
 * revoked.
 *
 * @param folder - Where the extension stores data for the workspace; `undefined` if no workspace is open.
 */
export function approvals(memory: Memento, folder: Uri | undefined): Approvals {
  const file = folder && Uri.joinPath(folder, "approvals.json");
  const stored = (text: string | null): readonly string[] =>
    grantsIn(text === null ? memory.get<unknown>(stateKey) : parseJson(text));
  let grants = stored(null);
  const change = async (next: (grants: readonly string[]) => readonly string[]): Promise<void> => {
    grants = next(grants);
    if (!file) return memory.update(stateKey, grants);
    for (let attempts = 0; attempts < maxAttempts; attempts++) {
      const before = await textOf(file);
      const after = next(stored(before));
      if (!(await replaceFile(file, JSON.stringify(after), async () => (await textOf(file)) === before))) continue;
      grants = after;
      return memory.update(stateKey, undefined);
    }
    throw new Error("Other windows change the approvals all the time.");
  };
  return {
    list: () => grants,
    async read() {
      const before = grants;
      if (file) grants = await textOf(file).then(stored, () => grants);
      return before.some((grant) => !grants.includes(grant));
    },
    add: (...more) => change((all) => [...new Set([...all, ...more])]).catch(() => undefined),
    revoke: (...gone) => change((all) => all.filter((grant) => !gone.includes(grant))),
  };
}

/** Leaves out what is not a grant. */
function grantsIn(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((grant) => typeof grant === "string") : [];
}
