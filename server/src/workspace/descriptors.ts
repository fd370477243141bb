import {
  callInWords,
  type DescribedCall,
  type InWords,
  type KnownNames,
  typedDataInWords,
} from "../abi/clearSigning.ts";
import { type Descriptors, descriptorsOf } from "../abi/descriptors.ts";
import type { PlainTypedData } from "../abi/typedData.ts";
import type { SaidCall } from "../report/words.ts";
import type { Host } from "./host.ts";

/** The bundled descriptors, which are read at the first call that may have one, and once. */
export type DescriptorTable = ReturnType<typeof openDescriptors>;

/** Calls of one answer that are said in words. */
const maxSaid = 60;

export function openDescriptors({ descriptors: read, log }: Pick<Host, "descriptors" | "log">) {
  let table: Descriptors | undefined;
  let loading: Promise<void> | undefined;
  const load = async (): Promise<void> => {
    const text = await read?.().catch((error: unknown) => {
      log.warn(`The descriptors cannot be read: ${error instanceof Error ? error.message : "no reason given"}`);
      return undefined;
    });
    try {
      table = descriptorsOf(text ?? "");
    } catch {
      log.warn("The descriptors cannot be read: the file is damaged.");
      table = descriptorsOf("");
    }
  };
  const described = (calls: readonly DescribedCall[]): readonly DescribedCall[] =>
    calls.filter(({ chainId, to, data }) => table?.find("call", chainId, to, data.slice(0, 10))).slice(0, maxSaid);
  return {
    /**
     * Says calls in words, those that have a descriptor.
     *
     * @returns Not a promise if there is nothing to wait for. Never rejects.
     */
    calls(calls: readonly DescribedCall[], names: KnownNames): readonly SaidCall[] | Promise<readonly SaidCall[]> {
      if (!read || calls.length === 0 || (table && described(calls).length === 0)) return [];
      loading ??= load();
      return loading.then(async () => {
        const said: SaidCall[] = [];
        for (const call of described(calls)) {
          const words = await callInWords(call, table ?? descriptorsOf(""), names);
          if (words) said.push({ to: call.to, words });
        }
        return said;
      });
    },
    /** Says what an account signs, as a call of the contract that it is for. Never rejects. */
    async signature(data: PlainTypedData, names: KnownNames): Promise<readonly SaidCall[]> {
      const words = await this.typedData(data, names);
      return words ? [{ to: data.domain.verifyingContract, words }] : [];
    },
    /** Says typed data in words; `undefined` if it has no descriptor. */
    async typedData(data: PlainTypedData, names: KnownNames): Promise<InWords | undefined> {
      if (!read) return undefined;
      loading ??= load();
      await loading;
      return table && typedDataInWords(data, table, names);
    },
  };
}
