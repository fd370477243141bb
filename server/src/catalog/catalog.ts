import { chains } from "./chains.ts";
import { debug } from "./debug.ts";
import { anvil, evm, hardhat } from "./devnode.ts";
import { errors } from "./errors.ts";
import { ethBlocks } from "./ethBlocks.ts";
import { ethFees } from "./ethFees.ts";
import { ethFilters } from "./ethFilters.ts";
import { ethNode } from "./ethNode.ts";
import { ethState } from "./ethState.ts";
import { ethSubmit } from "./ethSubmit.ts";
import { net, rpc, txpool, web3 } from "./nodeMethods.ts";
import type { OpenrpcDocument } from "./openrpc.ts";
import { opStack } from "./opStack.ts";
import type { ChainSpec, ErrorSpec, MethodSpec } from "./spec.ts";
import { trace } from "./trace.ts";

const allMethods: readonly MethodSpec[] = [
  // what people use most first
  ...ethState,
  ...ethBlocks,
  ...ethFees,
  ...ethSubmit,
  ...ethFilters,
  ...ethNode,
  ...net,
  ...web3,
  ...rpc,
  ...txpool,
  ...debug,
  ...trace,
  ...opStack,
  ...anvil,
  ...evm,
  ...hardhat,
];
const byName: ReadonlyMap<string, MethodSpec> = new Map(allMethods.map((spec) => [spec.name, spec]));
const byCode: ReadonlyMap<number, ErrorSpec> = new Map(errors.map((spec) => [spec.code, spec]));
const byId: ReadonlyMap<bigint, ChainSpec> = new Map(chains.map((spec) => [BigInt(spec.id), spec]));

/** The methods that may be written in a place: those of this project, and those that a user's own documents add. */
export interface Catalog {
  /** Those that people use most first within each namespace. */
  readonly methods: readonly MethodSpec[];
  methodNamed(name: string): MethodSpec | undefined;
  /** Where the methods beyond those of this project come from. */
  readonly documents?: readonly OpenrpcDocument[];
}

/** The catalogue without any documents of the user. */
export const bundledCatalog: Catalog = { methods: allMethods, methodNamed };

/**
 * A catalogue with the methods of documents as well. What is known of a method without them stays as it is: a document
 * of a repository cannot make a method that sends or signs pass for one that reads. Of two documents the first wins.
 */
export function catalogWith(bundled: Catalog, documents: readonly OpenrpcDocument[]): Catalog {
  const added = new Map<string, MethodSpec>();
  for (const spec of documents.flatMap(({ methods }) => methods)) {
    if (!bundled.methodNamed(spec.name) && !added.has(spec.name)) added.set(spec.name, spec);
  }
  return {
    methods: [...bundled.methods, ...added.values()],
    methodNamed: (name) => bundled.methodNamed(name) ?? added.get(name),
    documents: [...(bundled.documents ?? []), ...documents],
  };
}

export function methodNamed(name: string): MethodSpec | undefined {
  if (name !== latest.name) latest = { name, spec: byName.get(name) };
  return latest.spec;
}

/** The latest lookup: cells of a run and the steps around them ask for the same method again and again. */
let latest: { readonly name: string; readonly spec: MethodSpec | undefined } = { name: "", spec: undefined };

/** Returns the general meaning of a JSON-RPC error code; judge by message and data first. */
export function errorMeaning(code: number): ErrorSpec | undefined {
  return byCode.get(code);
}

export function chain(id: bigint): ChainSpec | undefined {
  return byId.get(id);
}

/** Names a chain in a sentence: `chain 8453, Base`. */
export function chainText(id: bigint): string {
  const name = chain(id)?.name;
  return name === undefined ? `chain ${id}` : `chain ${id}, ${name}`;
}
