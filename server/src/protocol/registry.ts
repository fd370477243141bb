import type { Wording } from "../base/ports.ts";
import type { DescriptorPaths } from "../features/descriptorPaths.ts";

/** `rpcNotebook/registry`: what a download of the ERC-7730 registry would be, and the copy that there is. `null`: not possible here. */
export type RegistryResult = {
  /** The question before a download. */
  readonly words: Wording;
  readonly host: string;
  readonly have?: { readonly commit: string; readonly date: string };
} | null;

/** `rpcNotebook/getRegistry`: downloads it. Only after a person has agreed. */
export interface GetRegistryResult {
  /** How many descriptors there are now. */
  readonly descriptors?: number;
  /** Why it did not work, as a sentence. */
  readonly problem?: string;
}

/** `rpcNotebook/descriptorPaths`: what can be written at a place of an ERC-7730 descriptor. `null` if no path is written there. */
export interface DescriptorPathsParams {
  /** The whole file, as the editor has it. */
  readonly text: string;
  /** In UTF-16 code units. */
  readonly offset: number;
}

export type DescriptorPathsResult = DescriptorPaths | null;
