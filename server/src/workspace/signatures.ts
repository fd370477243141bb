import { type Signatures, signaturesOf } from "../abi/signatures.ts";
import { type AbiLookup, bundledAbis } from "../abi/wellKnownAbis.ts";
import type { ProjectAbis } from "../analysis/scope.ts";
import { memoByPair } from "../base/memo.ts";
import type { WorkspaceHost } from "./host.ts";

/** The table of signatures, which is read at the first need, and once. */
export type SignatureTable = ReturnType<typeof openSignatures>;

export function openSignatures({ signatures: read, log }: WorkspaceHost) {
  let table: Signatures | undefined;
  let loading: Promise<void> | undefined;
  const load = async (): Promise<void> => {
    const text = await read?.().catch((error: unknown) => {
      log.warn(`The table of signatures cannot be read: ${error instanceof Error ? error.message : "no reason given"}`);
      return undefined;
    });
    table = signaturesOf(text ?? "");
  };
  const merged = memoByPair(
    (abis: ProjectAbis, signatures: Signatures | undefined): ProjectAbis =>
      signatures ? { ...abis, signatures } : abis,
  );
  return {
    /**
     * Loads the table.
     *
     * @param isNeeded - Not called once the table has been loaded, or when the host has none.
     * @returns `undefined` if there is nothing to wait for. Never rejects.
     */
    loadIf(isNeeded: () => boolean): Promise<void> | undefined {
      if (!read || table || !(loading || isNeeded())) return undefined;
      loading ??= load();
      return loading;
    },
    /** The ABIs with the table as far as it has been loaded. The same object for the same ABIs. */
    with: (abis: ProjectAbis): ProjectAbis => merged(abis, table),
    /** The declarations that are known without the project, with the table as far as it has been loaded. */
    bundled: (): AbiLookup => bundledAbis(table),
  };
}
