import {
  type CommandName,
  choicesOf,
  commands,
  type Flag,
  fileFlags,
  flags,
  type Shell,
  shells,
  taken,
} from "./flags.ts";

/** The script by which a shell completes `rpc-notebook`. */
export function completions(shell: Shell): string {
  switch (shell) {
    case "bash":
      return bash();
    case "zsh":
      return zsh();
    case "fish":
      return fish();
  }
}

interface Option {
  readonly flag: Flag;
  readonly short: string | undefined;
  readonly takesValue: boolean;
  /** What the value may be; empty where that is anything. */
  readonly choices: readonly string[];
  /** The value is something that cannot be offered: an address, a name of the notebook, a number. */
  readonly isFree: boolean;
}

const names = Object.keys(commands) as readonly CommandName[]; // it has no other keys

function optionsOf(command: CommandName): readonly Option[] {
  return [...taken[command], "help" as const].map((flag) => {
    const { type, ...rest } = flags[flag];
    const choices = choicesOf(command, flag);
    return {
      flag,
      short: "short" in rest ? rest.short : undefined,
      takesValue: type === "string",
      choices,
      isFree: type === "string" && choices.length === 0 && !fileFlags.includes(flag),
    };
  });
}

function bash(): string {
  const flagsOf = (command: CommandName): string =>
    optionsOf(command)
      .flatMap(({ flag, short }) => [`--${flag}`, ...(short === undefined ? [] : [`-${short}`])])
      .join(" ");
  const values = names.flatMap((command) =>
    optionsOf(command)
      .filter(({ choices }) => choices.length > 0)
      .map(({ flag, choices }) => `    "${command} --${flag}") words="${choices.join(" ")}" ;;`),
  );
  const free = names.flatMap((command) =>
    optionsOf(command)
      .filter(({ isFree }) => isFree)
      .flatMap(({ flag, short }) => [
        `"${command} --${flag}"`,
        ...(short === undefined ? [] : [`"${command} -${short}"`]),
      ]),
  );
  return `# Completions of rpc-notebook for bash.
_rpc_notebook() {
  local word="\${COMP_WORDS[COMP_CWORD]}" before="\${COMP_WORDS[COMP_CWORD-1]}" command="\${COMP_WORDS[1]}" words=""
  COMPREPLY=()
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W "${names.join(" ")} --help --version" -- "$word"))
    return
  fi
  case "$command $before" in
${values.join("\n")}
    "completions completions") words="${shells.join(" ")}" ;;
    "help help") words="${names.join(" ")}" ;;
    ${free.join("|")}) return ;;
  esac
  if [ -z "$words" ] && [[ "$word" == -* ]]; then
    case "$command" in
${names.map((command) => `      ${command}) words="${flagsOf(command)}" ;;`).join("\n")}
    esac
  fi
  if [ -n "$words" ]; then COMPREPLY=($(compgen -W "$words" -- "$word"))
  else COMPREPLY=($(compgen -f -- "$word")); compopt -o filenames 2>/dev/null
  fi
}
complete -F _rpc_notebook rpc-notebook`;
}

function zsh(): string {
  const takes = ({ flag, takesValue, choices, isFree }: Option): string => {
    if (!takesValue) return "";
    if (isFree) return `:${flag}: `; // a space: nothing is offered
    return choices.length > 0 ? `:${flag}:(${choices.join(" ")})` : `:${flag}:_files`;
  };
  const specs = (command: CommandName): string =>
    optionsOf(command)
      .flatMap((option) => [
        `'--${option.flag}${takes(option)}'`,
        ...(option.short === undefined ? [] : [`'-${option.short}${takes(option)}'`]),
      ])
      .join(" ");
  return `#compdef rpc-notebook
# Completions of rpc-notebook for zsh.
_rpc_notebook() {
  local -a commands
  commands=(
${names.map((name) => `    '${name}:${commands[name].replace(/'/g, "")}'`).join("\n")}
  )
  if (( CURRENT == 2 )); then
    _describe command commands
    return
  fi
  local command=$words[2]
  shift words
  (( CURRENT-- ))
  case $command in
    completions) _arguments '1:shell:(${shells.join(" ")})' ;;
    help) _arguments '1:command:(${names.join(" ")})' ;;
${names
  .filter((name) => name !== "completions")
  .map((name) => `    ${name}) _arguments -S ${specs(name)} '*:file:_files' ;;`)
  .join("\n")}
  esac
}
compdef _rpc_notebook rpc-notebook`;
}

function fish(): string {
  const line = (command: CommandName, { flag, short, takesValue, choices, isFree }: Option): string =>
    [
      `complete -c rpc-notebook -n "__fish_seen_subcommand_from ${command}" -l ${flag}`,
      ...(short === undefined ? [] : [`-s ${short}`]),
      ...(takesValue ? [isFree ? "-x" : "-r"] : []),
      ...(choices.length > 0 ? [`-f -a "${choices.join(" ")}"`] : []),
    ].join(" ");
  return [
    "# Completions of rpc-notebook for fish.",
    ...names.map((name) => `complete -c rpc-notebook -n __fish_use_subcommand -f -a ${name} -d '${commands[name]}'`),
    "complete -c rpc-notebook -n __fish_use_subcommand -s V -l version",
    `complete -c rpc-notebook -n "__fish_seen_subcommand_from completions" -f -a "${shells.join(" ")}"`,
    ...names.flatMap((name) => optionsOf(name).map((option) => line(name, option))),
  ].join("\n");
}
