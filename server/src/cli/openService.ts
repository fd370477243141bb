import { existsSync } from "node:fs";
import { relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import type { Explanation } from "../base/error.ts";
import { oneLine } from "../base/text.ts";
import type { FileDiagnostic } from "../features/diagnostics.ts";
import { createService, type Service } from "../service/service.ts";
import type { Host } from "../workspace/host.ts";
import type { Terminal } from "./terminal.ts";

export interface OpenCommand {
  readonly service: Service;
  readonly host: Host;
  /** Hides secrets and environment values. */
  readonly terminal: Terminal;
}

/** Waits until everything for an open document has been read, the contracts of the project too if it needs them. */
export async function readNeeded(uri: string, service: Service): Promise<void> {
  await service.settled(uri);
  service.diagnostics(uri); // looks for unknown names in the contracts of the project
  await service.settled(uri);
}

/**
 * Opens the service for a command, with a terminal that hides secrets and environment values in everything that is
 * printed. Commands print to that terminal from now on.
 */
export function openService(host: Host, screen: Terminal): { readonly service: Service; readonly terminal: Terminal } {
  const service = createService(host);
  const hide = service.hidden;
  const terminal: Terminal = {
    ...screen,
    get width() {
      return screen.width;
    },
    print: (text) => screen.print(hide(text)),
    complain: (what, todo) => screen.complain(hide(what), todo && hide(todo)),
    note: (text) => screen.note(hide(text)),
    progress: (text) => screen.progress(hide(text)),
  };
  return { service, terminal };
}

/** Returns the path of a file of endpoints from the working folder, safe to show. */
export function pathOf({ uri }: FileDiagnostic): string {
  return oneLine(relative("", fileURLToPath(uri)));
}

/**
 * Notes the problems of the endpoint files that were read. A value that is not set is left to the cell that
 * needs it, and descriptors to `check`.
 *
 * @param used - Names of endpoints. Problems of other endpoints are left to `check`. Absent if no endpoint was used.
 */
export function noteEndpointProblems(service: Service, terminal: Terminal, used?: ReadonlySet<string>): void {
  for (const problem of service.fileDiagnostics()) {
    const { line, column } = problem.start;
    const isUsed = !used || problem.endpoint === undefined || used.has(problem.endpoint);
    if (isUsed && problem.code !== "bad-descriptor" && problem.severity !== "information")
      terminal.note(`${pathOf(problem)}:${line}:${column}: ${problem.message}`);
  }
}

/** A declaration has parentheses, and is not the name of a file. */
export function isAbiPath(abi: string): boolean {
  return !abi.includes("(") || existsSync(abi);
}

/** Returns values of `--abi` as a notebook of the working folder writes them. */
export function abiEntries(abis: readonly string[]): readonly string[] {
  return abis.map((one) => (isAbiPath(one) ? `./${relative(".", resolve(one)).replaceAll("\\", "/")}` : one));
}

/**
 * Opens a notebook that exists only in memory, and waits until the contracts of its project are known.
 *
 * @returns The values of `--abi` that cannot be used.
 */
export async function openInMemory(uri: string, text: string, service: Service): Promise<readonly Explanation[]> {
  service.openText(uri, text);
  service.abi(uri); // starts the search for contracts
  await service.settled(uri);
  const wrong = service.diagnostics(uri).filter(({ code }) => code === "bad-abi");
  return wrong.map(({ message }) => ({ what: message, todo: "Fix the value of --abi." }));
}
