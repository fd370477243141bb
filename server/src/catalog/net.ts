import type { MethodSpec } from "./spec.ts";

/** The `net_` namespace. */
export const net = [
  {
    name: "net_version",
    summary: "Returns the id of the network in decimal digits, on most chains the same number as the chain's id.",
    params: [],
    result: "digits",
    effect: "reads",
    source: "https://ethereum.org/en/developers/docs/apis/json-rpc/#net_version",
    example: { params: [], result: "8453" },
  },
] as const satisfies readonly MethodSpec[];
