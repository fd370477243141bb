import { RpcNotebookError } from "../base/error.ts";
import { type Command, readArguments } from "./arguments.ts";
import type { CommandLineHost } from "./commandLineHost.ts";
import { exitCodes } from "./terminal.ts";

/** @returns The exit code; `undefined` for the language server, which ends the process itself. */
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
      host.terminal.print(help(command.topic, host.terminal.width));
      return exitCodes.ok;
    }
    case "completions": {
      const { completions } = await import("./completions.ts");
      host.terminal.print(completions(command.shell));
      return exitCodes.ok;
    }
    case "lsp":
      await host.lsp();
      return undefined;
    default: {
      // A large recording is read while the modules load.
      const replay = "replay" in command && command.replay !== undefined ? host.recording(command.replay) : undefined;
      const commands = await import("./execute.ts");
      return commands.execute(command, host, replay);
    }
  }
}
