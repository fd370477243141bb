import {
  callInWords,
  type DescribedCall,
  type InWords,
  type KnownNames,
  typedDataInWords,
} from "../abi/clearSigning.ts";
import type { Descriptors } from "../abi/descriptors.ts";
import type { PlainTypedData } from "../abi/typedData.ts";
import type { SaidCall } from "../report/words.ts";
import type { Document } from "./documents.ts";
import type { ProjectDescriptors } from "./projectDescriptors.ts";

/** Says calls in words, with the descriptors of a document. */
export type DescriptorTable = ReturnType<typeof openDescriptors>;

/** Calls of one answer that are said in words. */
const maxSaid = 60;

export function openDescriptors(descriptors: ProjectDescriptors) {
  return {
    /**
     * Says calls in words, those that have a descriptor.
     *
     * @returns Not a promise if there is nothing to wait for. Never rejects.
     */
    calls(
      document: Document,
      calls: readonly DescribedCall[],
      names: KnownNames,
    ): readonly SaidCall[] | Promise<readonly SaidCall[]> {
      const ready = descriptors.ready(document);
      if (calls.length === 0 || (ready && described(calls, ready, names).length === 0)) return [];
      return descriptors.of(document).then((table) => saidCalls(calls, table, names));
    },
    /** Says what an account signs, as a call of the contract that it is for. Never rejects. */
    async signature(document: Document, data: PlainTypedData, names: KnownNames): Promise<readonly SaidCall[]> {
      const words = await this.typedData(document, data, names);
      return words ? [{ to: data.domain.verifyingContract, words }] : [];
    },
    /** Says typed data in words; `undefined` if it has no descriptor. */
    async typedData(document: Document, data: PlainTypedData, names: KnownNames): Promise<InWords | undefined> {
      return typedDataInWords(data, await descriptors.of(document), names);
    },
  };
}

async function saidCalls(
  calls: readonly DescribedCall[],
  table: Descriptors,
  names: KnownNames,
): Promise<readonly SaidCall[]> {
  const said: SaidCall[] = [];
  for (const call of described(calls, table, names).slice(0, maxSaid)) {
    const words = await callInWords(call, table, names);
    if (words) said.push({ to: call.to, words });
  }
  return said;
}

function described(calls: readonly DescribedCall[], table: Descriptors, names: KnownNames): readonly DescribedCall[] {
  return calls.filter(({ chainId, to, data }) => {
    const isToken = names.token(chainId, to.toLowerCase()) !== undefined;
    return table.find("call", chainId, to, data.slice(0, 10), isToken) !== undefined;
  });
}
