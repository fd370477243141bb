import { type CommandName, type CommandOption, commands, optionsOf, type Shell, shells } from "./commands.ts";

export function completions(shell: Shell): string {
  return scripts[shell]();
}

const scripts: Readonly<Record<Shell, () => string>> = { bash, zsh, fish };

const names = Object.keys(commands) as readonly CommandName[]; // it has no other keys

/** @example typed({ name: "jobs", short: "j" }); //=> ["--jobs", "-j"] */
function typed({ name, short }: CommandOption): readonly string[] {
  return [`--${name}`, ...(short === undefined ? [] : [`-${short}`])];
}

/** Whether its value can be anything that a shell does not know: an address, a name of the notebook, a number. */
function isFree({ takesValue, choices, isPath }: CommandOption): boolean {
  return takesValue && choices.length === 0 && !isPath;
}

function bash(): string {
  const all = names.flatMap((command) => optionsOf(command).map((option) => ({ command, option })));
  const places = ({ command, option }: (typeof all)[number]): string =>
    typed(option)
      .map((word) => `"${command} ${word}"`)
      .join("|");
  const choices = all
    .filter(({ option }) => option.choices.length > 0)
    .map((one) => `    ${places(one)}) words="${one.option.choices.join(" ")}" ;;`);
  const free = all.filter(({ option }) => isFree(option)).map(places);
  const flags = names.map((name) => `      ${name}) words="${optionsOf(name).flatMap(typed).join(" ")}" ;;`);
  return `# Completions of rpc-notebook for bash.
_rpc_notebook() {
  local word="\${COMP_WORDS[COMP_CWORD]}" before="\${COMP_WORDS[COMP_CWORD-1]}" command="\${COMP_WORDS[1]}" words=""
  COMPREPLY=()
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W "${names.join(" ")} --help --version" -- "$word"))
    return
  fi
  case "$command $before" in
${choices.join("\n")}
    "completions completions") words="${shells.join(" ")}" ;;
    "help help") words="${names.join(" ")}" ;;
    ${free.join("|")}) return ;;
  esac
  if [ -z "$words" ] && [[ "$word" == -* ]]; then
    case "$command" in
${flags.join("\n")}
    esac
  fi
  if [ -n "$words" ]; then COMPREPLY=($(compgen -W "$words" -- "$word"))
  else COMPREPLY=($(compgen -f -- "$word")); compopt -o filenames 2>/dev/null
  fi
}
complete -F _rpc_notebook rpc-notebook`;
}

function zsh(): string {
  const value = ({ name, takesValue, isPath, choices }: CommandOption): string => {
    const offered = isPath ? "_files" : choices.length > 0 ? `(${choices.join(" ")})` : " "; // a space: nothing
    return takesValue ? `:${name}:${offered}` : "";
  };
  const specs = (command: CommandName): string =>
    optionsOf(command)
      .flatMap((option) => typed(option).map((word) => `'${word}${value(option)}'`))
      .join(" ");
  const summaries = names.map((name) => `    '${name}:${commands[name].summary}'`);
  const cases = names
    .filter((name) => name !== "completions")
    .map((name) => `    ${name}) _arguments -S ${specs(name)} '*:file:_files' ;;`);
  return `#compdef rpc-notebook
# Completions of rpc-notebook for zsh.
_rpc_notebook() {
  local -a commands
  commands=(
${summaries.join("\n")}
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
${cases.join("\n")}
  esac
}
compdef _rpc_notebook rpc-notebook`;
}

function fish(): string {
  const line = (command: CommandName, option: CommandOption): string =>
    [
      `complete -c rpc-notebook -n "__fish_seen_subcommand_from ${command}" -l ${option.name}`,
      ...(option.short === undefined ? [] : [`-s ${option.short}`]),
      ...(option.takesValue ? [isFree(option) ? "-x" : "-r"] : []),
      ...(option.choices.length > 0 ? [`-f -a "${option.choices.join(" ")}"`] : []),
    ].join(" ");
  const begin = "complete -c rpc-notebook -n __fish_use_subcommand";
  return [
    "# Completions of rpc-notebook for fish.",
    ...names.map((name) => `${begin} -f -a ${name} -d '${commands[name].summary}'`),
    `${begin} -s V -l version`,
    `complete -c rpc-notebook -n "__fish_seen_subcommand_from completions" -f -a "${shells.join(" ")}"`,
    ...names.flatMap((name) => optionsOf(name).map((option) => line(name, option))),
  ].join("\n");
}
