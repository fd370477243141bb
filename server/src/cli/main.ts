import { RpcNotebookError } from "../base/error.ts";
import type { Host } from "../host.ts";
import { type CheckOptions, type Command, type RunOptions, readArguments } from "./arguments.ts";
import { exitCodes, type Terminal } from "./terminal.ts";

/** What a command says about what may be done: the notebooks, and for a run its options. */
export type HostOptions = Pick<CheckOptions, "files"> & Partial<RunOptions>;

/** What the process lends to the command line. */
export interface CommandLineHost {
  readonly terminal: Terminal;
  readonly version: string;
  readonly signal: AbortSignal;
  /** Made when a command needs it: a version must not wait for a network library. */
  host(options: HostOptions): Promise<Host>;
  lsp(): Promise<void>;
}

/** @returns The exit code. */
export async function main(argv: readonly string[], host: CommandLineHost): Promise<number> {
  try {
    return await execute(readArguments(argv), host);
  } catch (error) {
    if (!(error instanceof RpcNotebookError)) throw error;
    host.terminal.complain(error.message, error.hint);
    return exitCodes.usage;
  }
}

async function execute(command: Command, host: CommandLineHost): Promise<number> {
  switch (command.name) {
    case "version":
      host.terminal.print(host.version);
      return exitCodes.ok;
    case "help": {
      const { help } = await import("./help.ts");
      host.terminal.print(help(command.topic));
      return exitCodes.ok;
    }
    case "lsp":
      await host.lsp();
      return exitCodes.ok;
    case "check": {
      const { check } = await import("./check.ts");
      return check(command, await host.host(command), host.terminal);
    }
    case "fmt": {
      const { format } = await import("./fmt.ts");
      return format(command, await host.host(command), host.terminal);
    }
    case "run": {
      const { run } = await import("./run.ts");
      return run(command, await host.host(command), host.terminal, host.signal);
    }
  }
}
