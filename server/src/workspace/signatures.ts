import { signaturesWanted, useSignatures } from "../abi/abiScope.ts";
import { signaturesOf } from "../abi/signatures.ts";
import type { Host } from "./host.ts";

/**
 * Looks, and once more where that met a topic, a selector or a word that only the table of signatures may know. Nothing
 * loads it before that, and nothing loads it twice.
 */
export type WithSignatures = <T>(look: () => T | Promise<T>) => Promise<T>;

export function openSignatures({ signatures, log }: Pick<Host, "signatures" | "log">): WithSignatures {
  let loading: Promise<void> | undefined;
  const load = async (): Promise<void> => {
    const text = await signatures?.().catch((error: unknown) => {
      log.warn(`The table of signatures cannot be read: ${error instanceof Error ? error.message : "no reason given"}`);
      return undefined;
    });
    useSignatures(signaturesOf(text ?? ""));
  };
  return async (look) => {
    const found = await look();
    if (!signatures || !signaturesWanted()) return found;
    loading ??= load();
    await loading;
    return look();
  };
}
