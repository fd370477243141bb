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
  {
    name: "web3_sha3",
    summary: "Returns the Keccak-256 hash of bytes.",
    params: [{ name: "data", type: "bytes", required: true, summary: "The bytes to hash." }],
    result: "hash",
    effect: "reads",
    source: "https://ethereum.org/en/developers/docs/apis/json-rpc/#web3_sha3",
    example: {
      params: ["0x68656c6c6f"],
      result: "0x1c8aff950685c2ed4bc3174f3472287b56d9517b9c948127319a09a7a36deac8",
    },
  },
] as const satisfies readonly MethodSpec[];
