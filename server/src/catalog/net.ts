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
  {
    name: "net_peerCount",
    summary: "Returns how many peers the node is connected with.",
    params: [],
    result: "count",
    effect: "reads",
    source: "https://ethereum.org/en/developers/docs/apis/json-rpc/#net_peercount",
    example: { params: [], result: "0x19" },
  },
  {
    name: "net_listening",
    summary: "Tells whether the node takes connections of peers.",
    params: [],
    result: "boolean",
    effect: "reads",
    source: "https://ethereum.org/en/developers/docs/apis/json-rpc/#net_listening",
    example: { params: [], result: true },
  },
] as const satisfies readonly MethodSpec[];
