import { signaturesWanted, useSignatures } from "../abi/abiScope.ts";
import { signaturesOf } from "../abi/signatures.ts";
import type { Host } from "./host.ts";

/**
 * Runs a query; once more if it needed a topic, a selector or a name that only the table of signatures may contain. The
 * table is loaded by the first query that needs it, once.
 */
export type WithSignatures = <T>(query: () => T | Promise<T>) => Promise<T>;

export function openSignatures({ signatures, log }: Pick<Host, "signatures" | "log">): WithSignatures {
  let loading: Promise<void> | undefined;
  const load = async (): Promise<void> => {
    const text = await signatures?.().catch((error: unknown) => {
      log.warn(`The table of signatures cannot be read: ${error instanceof Error ? error.message : "no reason given"}`);
      return undefined;
    });
    useSignatures(signaturesOf(text ?? ""));
  };
  return async (query) => {
    const result = await query();
    if (!signatures || !signaturesWanted()) return result;
    loading ??= load();
    await loading;
    return query();
  };
}
