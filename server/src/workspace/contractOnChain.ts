import { addressInWord, addressList, contractForm, facetsCall, safeSlot } from "../abi/contractForm.ts";
import type { Explanation } from "../base/error.ts";
import { isHex, quantity } from "../base/hex.ts";
import type { JsonValue } from "../base/json.ts";
import { plural } from "../base/text.ts";
import type { QuestionClient } from "../gate/backgroundClient.ts";
import { resultOf } from "../rpc/outcome.ts";

/** Why a contract was not found: the host has no sources of it, it is not a contract, no host knows its chain, or the host or the endpoint failed. */
export interface NotFound extends Explanation {
  readonly reason: "unverified" | "no-contract" | "local-chain" | "failed" | "endpoint";
}

/** Contracts that are looked up or read for one that passes calls on to them. */
export const maxImplementations = 16;

/** What an endpoint says about a contract. */
export interface ContractOnChain {
  readonly chainId: bigint;
  readonly code: string;
  /** The contracts to which it passes calls on now, in lower case; empty if that is not known. */
  readonly passesTo: readonly string[];
  /** What it is, such as `a minimal proxy (EIP-1167)`, unless its functions say it. */
  readonly form: string | undefined;
  readonly client: QuestionClient;
}

/**
 * The slot in which a proxy keeps the address of its implementation.
 *
 * @see https://eips.ethereum.org/EIPS/eip-1967
 */
const implementationSlot = "0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc";

/**
 * Asks an endpoint for its chain, the code of a contract, and the contracts to which it passes calls on.
 *
 * @param place - Its chain is what a person named, if one did: then the endpoint must serve it.
 */
export async function contractOnChain(
  { address, chainId: named }: { readonly address: string; readonly chainId?: bigint | undefined },
  client: ContractOnChain["client"],
  signal: AbortSignal,
): Promise<ContractOnChain | NotFound> {
  const questions = [
    { method: "eth_chainId", params: [] },
    { method: "eth_getCode", params: [address, "latest"] },
    { method: "eth_getStorageAt", params: [address, implementationSlot, "latest"] },
  ];
  const [chain, code, word] = (await client.ask(questions, signal)).map(resultOf);
  const chainId = quantity(chain);
  if (chainId === undefined || !isHex(code))
    return {
      what: "The endpoint did not say which chain it serves and which code the contract has.",
      todo: "Use another endpoint.",
      reason: "endpoint",
    };
  if (named !== undefined && named !== chainId)
    return {
      what: `The endpoint serves chain ${chainId}, not ${named}.`,
      todo: "Use another endpoint, or correct the chain id.",
      reason: "endpoint",
    };
  if (code === "0x")
    return {
      what: `${address} is not a contract on chain ${chainId}.`,
      todo: "Check the address and the chain.",
      reason: "no-contract",
    };
  const implementation = addressInWord(word);
  if (implementation !== undefined) return { chainId, code, passesTo: [implementation], form: undefined, client };
  return { chainId, code, client, ...(await formAt(address, code, client, signal)) };
}

async function formAt(
  address: string,
  code: string,
  client: ContractOnChain["client"],
  signal: AbortSignal,
): Promise<Pick<ContractOnChain, "passesTo" | "form">> {
  const ask = async (method: string, ...params: JsonValue[]) =>
    resultOf((await client.ask([{ method, params: [...params, "latest"] }], signal))[0]);
  const form = contractForm(code);
  switch (form?.kind) {
    case "minimal proxy":
      return {
        passesTo: [form.to],
        form: form.form === "minimal proxy" ? "a minimal proxy" : `a minimal proxy (${form.form})`,
      };
    case "Safe": {
      const to = addressInWord(await ask("eth_getStorageAt", address, safeSlot));
      return { passesTo: to === undefined ? [] : [to], form: "the proxy of a Safe" };
    }
    case "dispatcher": {
      const facets = addressList(await ask("eth_call", { to: address, data: facetsCall }))?.filter(
        (one) => one !== address.toLowerCase(),
      );
      if (!facets) return { passesTo: [], form: undefined };
      return { passesTo: facets, form: `a diamond with ${plural(facets.length, "facet")} (EIP-2535)` };
    }
    case undefined:
      return { passesTo: [], form: undefined };
  }
}
