import { RpcNotebookError } from "../base/error.ts";
import type { Host } from "../workspace/host.ts";
import { readArguments } from "./arguments.ts";
import type { CheckOptions, Command, ImportOptions, RunOptions } from "./command.ts";
import { exitCodes, type Terminal } from "./terminal.ts";

/** What a command says about what may be done: the notebooks, and for a run its options. */
export type HostOptions = Pick<CheckOptions, "files"> & Partial<RunOptions> & Partial<Pick<ImportOptions, "out">>;

/** What the process lends to the command line. */
export interface CommandLineHost {
  readonly terminal: Terminal;
  readonly version: string;
  /** Aborts when a person wants the command to end. Read it only to listen to it: until then a signal ends the process. */
  readonly signal: AbortSignal;
  /** Standard input to its end; `undefined` where that is a person's keyboard. */
  input(): Promise<string | undefined>;
  /** Made when a command needs it: a version must not wait for a network library. */
  host(options: HostOptions): Promise<Host>;
  lsp(): Promise<void>;
}

/** @returns The exit code; `undefined` if a server goes on, which ends the process itself. */
export async function main(argv: readonly string[], host: CommandLineHost): Promise<number | undefined> {
  try {
    return await execute(readArguments(argv), host);
  } catch (error) {
    if (!(error instanceof RpcNotebookError)) throw error;
    host.terminal.complain(error.message, error.hint);
    return exitCodes.usage;
  }
}

async function execute(command: Command, host: CommandLineHost): Promise<number | undefined> {
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
      return undefined;
    case "decode": {
      const { decode, filesOf } = await import("./decode.ts");
      const lent = await host.host({ ...command, files: filesOf(command) });
      return decode(command, lent, host);
    }
    case "probe": {
      const { probe, filesOf } = await import("./probe.ts");
      return probe(command, await host.host({ ...command, files: filesOf(command) }), host.terminal, host.signal);
    }
    case "audit": {
      const { audit, filesOf } = await import("./probe.ts");
      return audit(command, await host.host({ ...command, files: filesOf(command) }), host.terminal, host.signal);
    }
    case "completions": {
      const { completions } = await import("./completions.ts");
      host.terminal.print(completions(command.shell));
      return exitCodes.ok;
    }
    case "check":
    case "run":
    case "fmt":
    case "import":
    case "export": {
      const { executeOnFiles } = await import("./onFiles.ts"); // one module for all: a start has few files to read
      return executeOnFiles(command, await host.host(command), host);
    }
  }
}
