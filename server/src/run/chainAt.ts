import { endpointDirective } from "../analysis/cellEndpoint.ts";
import type { Endpoint } from "../endpoints/endpoint.ts";
import type { Cell } from "../notebook/cell.ts";
import type { DocumentRun } from "./documentRun.ts";

type Run = Pick<DocumentRun, "routes" | "header">;

/** Returns the chain that a cell's requests go to, as far as its endpoint, the header or an earlier answer says. */
export function chainOf(run: Run, cell: Cell): bigint | undefined {
  const resolved = run.routes.endpointOf(cell);
  return "endpoint" in resolved ? chainAt(run, cell, resolved.endpoint) : undefined;
}

/** Like {@link chainOf}, for one endpoint. */
export function chainAt({ routes, header }: Run, cell: Cell, endpoint: Endpoint): bigint | undefined {
  const fromHeader = endpointDirective(cell) === undefined ? header.chainId : undefined;
  return endpoint.chainId ?? fromHeader ?? routes.memoryOf(endpoint).probed?.chainId;
}
