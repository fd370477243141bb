import { RpcNotebookError } from "../base/error.ts";
import { listed, nearest } from "../base/text.ts";
import { type ActingCommand, readCommand } from "./command.ts";
import type { CommandLineHost } from "./commandLineHost.ts";
import { type CommandName, commands, isCommand } from "./commands.ts";
import { parseOptions, seeHelp } from "./parseOptions.ts";
import { exitCodes, UsageError } from "./terminal.ts";

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

/** The contents of a command line. */
export type Command =
  | ActingCommand
  | { readonly name: "help"; readonly topic: CommandName | undefined }
  | { readonly name: "version" };

/**
 * Reads the command line.
 *
 * @throws {@link UsageError} with what is wrong and what to type instead.
 */
export function readArguments(argv: readonly string[]): Command {
  const { values, positionals } = parseOptions(argv);
  const [word, ...words] = positionals;
  if (values.version && word === undefined) return { name: "version" };
  if (word === undefined || word === "help") {
    const isBare = word === undefined && !values.help && Object.keys(values).length > 0;
    if (isBare) throw new UsageError("No command.", { hint: seeHelp() });
    return { name: "help", topic: words[0] === undefined ? undefined : commandNamed(words[0]) };
  }
  const name = commandNamed(word);
  if (values.help) return { name: "help", topic: name };
  const foreign = Object.keys(values).find((option) => !(option in commands[name].options));
  if (foreign !== undefined) throw new UsageError(`\`${name}\` takes no --${foreign}.`, { hint: seeHelp(name) });
  return readCommand(name, values, words);
}

function commandNamed(word: string): CommandName {
  if (isCommand(word)) return word;
  const [near] = nearest(word, Object.keys(commands));
  const hint = word.endsWith(".json")
    ? `To run a notebook: \`rpc-notebook run ${word}\`.`
    : near === undefined
      ? `The commands are ${listed(Object.keys(commands))}. ${seeHelp()}`
      : `Did you mean \`${near}\`?`;
  throw new UsageError(`Unknown command \`${word}\`.`, { hint });
}
