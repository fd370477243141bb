import { isObject, type JsonValue, printJson } from "../base/json.ts";
import { span } from "../base/span.ts";
import { readCast } from "./cast.ts";
import { windowsCommand } from "./cmdWords.ts";
import { readCurl } from "./curl.ts";
import type { Entry, Imported, ImportPart, Note } from "./imported.ts";
import { type Argument, openExpressions, type PowerShellValue, textOf } from "./powershellValues.ts";
import { quoted, type Word, wordAt } from "./quoted.ts";

/** What only PowerShell has: its cmdlets, variables, here-strings, prompt, and lines that a backtick continues. */
export function looksLikePowerShell(text: string): boolean {
  return /\b(?:Invoke-(?:RestMethod|WebRequest)|irm|iwr|curl\.exe|ConvertTo-Json)\b|\$env:|^\s*(?:\[[\w.]+\]\s*)?\$\w+\s*=|[^`\s][ \t]+`\r?$|^PS[^>\r\n]*>|^\s*@['"]\r?$|\s-Body\b/im.test(
    text,
  );
}

/**
 * Reads requests of a script of PowerShell: `curl.exe`, `cast`, `Invoke-RestMethod` and `Invoke-WebRequest`, by any of
 * their names. Comments become Markdown; statements that play no part are left out.
 *
 * @see https://learn.microsoft.com/powershell/module/microsoft.powershell.core/about/about_quoting_rules
 */
export function readPowerShell(text: string): Imported {
  const entries: Entry[] = [];
  const notes: Note[] = [];
  const expressions = openExpressions(text, notes, (words, input, name) => {
    const read = readCommand(text, words, input, name);
    if (!read) return undefined;
    if ("json" in read) return read;
    entries.push(...read.entries);
    notes.push(...read.notes);
    return undefined;
  });
  let comments: string[] = [];
  const endComments = (): void => {
    if (comments.length > 0) entries.push({ kind: "markdown", text: comments.join("\n") });
    comments = [];
  };
  for (let at = 0; at < text.length; ) {
    const [skipped] = matchAt(
      /(?:[\s;}]|<#[\s\S]*?(?:#>|$)|```\w*|(?<![^\r\n])(?:PS[^>\r\n]{0,200}>|>>)|\b(?:foreach|for|while|if|elseif|else|try|catch|finally|do|function)\b[^\r\n{]*\{)+/y,
      text,
      at,
    ) ?? [""];
    at += skipped.length;
    if (at >= text.length) break;
    const [comment, said = ""] = matchAt(/#[ \t]?([^\r\n]*)/y, text, at) ?? [];
    if (comment !== undefined) {
      comments.push(said.trimEnd());
      at += comment.length;
      continue;
    }
    const before = entries.length;
    const next = expressions.statement(at);
    const made = entries.splice(before);
    if (made.length > 0) endComments();
    entries.push(...made);
    at = Math.max(next, at + 1);
  }
  endComments();
  return { entries, variables: new Map<string, JsonValue>(), secrets: expressions.texts(), notes };
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | undefined {
  pattern.lastIndex = at;
  return pattern.exec(text) ?? undefined;
}

/** @returns A value, if the command is one that makes values; `undefined` for commands that play no part. */
function readCommand(
  text: string,
  [program, ...args]: readonly Argument[],
  input: PowerShellValue | undefined,
  name: string | undefined,
): ImportPart | PowerShellValue | undefined {
  if (!program) return undefined;
  const command = program.text.toLowerCase().replace(/^.*[\\/]/, "");
  if (command === "convertto-json") return jsonOf(input ?? args.find(({ value }) => value)?.value);
  if (command === "write-output" || command === "echo") return args[0] && { json: args[0].text, quoted: args[0] };
  if (command === "cast") return readCast(program, args, name);
  if (/^(?:invoke-restmethod|invoke-webrequest|irm|iwr)$/.test(command)) return cmdlet(program, args, name);
  if (!/^curl(?:\.exe)?$/.test(command)) return undefined;
  if (command === "curl" && args.some(({ text: one }) => /^-(?:uri|method|body|headers)$/i.test(one)))
    return cmdlet(program, args, name);
  const raw = args.findIndex(({ text: one }) => one === "--%");
  const words = raw < 0 ? args : windowsCommand(text, args[raw]?.span.end ?? 0, new Map()).words;
  return readCurl(program, words, input?.quoted, name);
}

function jsonOf(value: PowerShellValue | undefined): PowerShellValue | undefined {
  if (!value) return undefined;
  const written = printJson(value.json);
  const at = value.quoted?.places[0] ?? 0;
  return { json: written, quoted: { ...quoted(written, at), places: new Array(written.length + 1).fill(at) } };
}

/** Parameters of the cmdlets that say what is asked; of the others only which have no value matters. */
const options: readonly (readonly [pattern: RegExp, option: string])[] = [
  [/^-u(?:ri?)?$/i, "--url"],
  [/^-b(?:ody?)?$|^-bod$/i, "--data-raw"],
  [/^-inf(?:ile)?$/i, "@"],
  [/^-h(?:eaders?)?$|^-head(?:e|er)?$/i, "-H"],
  [/^-me(?:t(?:h(?:od?)?)?)?$|^-metho$/i, "-X"],
  [/^-usera(?:gent)?$/i, "-A"],
  [/^-timeoutsec$|^-time$/i, "-m"],
];
const switches =
  /^-(?:usebasicparsing|skip\w+|verbose|debug|allow\w+|disable\w+|noproxy|usedefaultcredentials|passthru|resume|preserve\w+)$/i;

/** The same as a command of curl. */
function cmdlet(program: Word, args: readonly Argument[], name: string | undefined): ImportPart {
  const words: Word[] = [];
  const say = (option: string, text: string, { span: at, places }: Word): void => {
    words.push(wordAt(option, at.start));
    words.push({ text, span: at, places: text.length < places.length ? places : wordAt(text, at.start).places });
  };
  const take = (option: string, given: Argument): void => {
    const json = given.value?.json;
    if (option === "@") say("-d", `@${given.text}`, given);
    else if (option !== "-H") say(option, given.text, given);
    else if (isObject(json))
      for (const [key, value] of Object.entries(json)) say("-H", `${key}: ${textOf(value)}`, given);
  };
  for (const given of splatted(args)) {
    const { parameter, value } = given;
    if (parameter === undefined) say("--url", value.text, value);
    else {
      const option = options.find(([pattern]) => pattern.test(parameter))?.[1];
      if (option !== undefined) take(option, value);
    }
  }
  return readCurl(program, words, undefined, name);
}

interface Given {
  readonly parameter: string | undefined;
  readonly value: Argument;
}

function* splatted(args: readonly Argument[]): Generator<Given> {
  for (let i = 0; i < args.length; i++) {
    const arg = args[i];
    if (!arg) return;
    const json = arg.value?.json;
    const [, parameter, inside] = /^(-[A-Za-z]+)(?::([\s\S]*))?$/.exec(arg.text) ?? [];
    if (arg.isSplat && isObject(json)) {
      for (const [key, value] of Object.entries(json))
        yield { parameter: `-${key}`, value: { ...wordAt(textOf(value), arg.span.start), value: { json: value } } };
    } else if (parameter === undefined) yield { parameter: undefined, value: arg };
    else if (switches.test(parameter)) continue;
    else if (inside) yield { parameter, value: { ...arg, text: inside, places: arg.places.slice(-inside.length - 1) } };
    else {
      const value = args[++i];
      if (value) yield { parameter, value };
    }
  }
}
