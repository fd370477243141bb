import type { MethodSpec } from "./spec.ts";

/** The `web3_` namespace. */
export const web3 = [
  {
    name: "web3_clientVersion",
    summary: "Returns the name and the version of the node's software.",
    params: [],
    result: "text",
    effect: "reads",
    source: "https://ethereum.org/en/developers/docs/apis/json-rpc/#web3_clientversion",
    example: { params: [], result: "reth/v1.9.3/x86_64-unknown-linux-gnu" },
  },
] as const satisfies readonly MethodSpec[];
