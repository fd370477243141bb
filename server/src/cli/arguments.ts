import { listed, nearest } from "../base/text.ts";
import { type ActingCommand, readCommand } from "./command.ts";
import { type CommandName, commands, isCommand } from "./commands.ts";
import { parseOptions, seeHelp } from "./parseOptions.ts";
import { UsageError } from "./usageError.ts";

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
