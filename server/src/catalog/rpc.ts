import type { MethodSpec } from "./spec.ts";

/** Methods about the methods that an endpoint supports. */
export const rpc = [
  {
    name: "rpc_modules",
    summary: "Lists the namespaces that the endpoint answers.",
    params: [],
    result: "modules",
    effect: "reads",
    limits: ["Not in the specification; geth, reth and Erigon have it, gateways rarely let it through."],
    source: "https://reth.rs/jsonrpc/rpc#rpc_modules",
    example: { params: [], result: { eth: "1.0", net: "1.0", web3: "1.0" } },
  },
  {
    name: "rpc.discover",
    summary: "Returns the OpenRPC document of the endpoint: its methods with their parameters and results.",
    params: [],
    result: "any",
    effect: "reads",
    limits: ["Few endpoints have it. Once it has run, the methods that it describes are known in this notebook."],
    source: "https://spec.open-rpc.org/#service-discovery-method",
    example: {
      params: [],
      result: {
        openrpc: "1.3.2",
        info: { title: "Example", version: "1.0.0" },
        methods: [{ name: "acme_height", params: [], result: { name: "height", schema: { type: "integer" } } }],
      },
    },
  },
] as const satisfies readonly MethodSpec[];
