import type { Scope } from "../analysis/scope.ts";
import { staysHere } from "../endpoints/site.ts";

/** The id of anvil and Hardhat. */
export const localChain = 31337n;

/** Returns the chain of the endpoint, also before its first answer if it is probably on this computer. */
export function likelyChainId({ endpoint }: Scope): bigint | undefined {
  if (endpoint?.chainId !== undefined) return endpoint.chainId;
  const isHere =
    endpoint !== undefined && URL.canParse(`http://${endpoint.host}`) && staysHere(`http://${endpoint.host}`);
  return isHere ? localChain : undefined;
}
