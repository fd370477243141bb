import { isObject, type JsonValue, printJson } from "../base/json.ts";
import { readCast } from "./cast.ts";
import { readLine } from "./commandLine.ts";
import { readCurl } from "./curl.ts";
import { failedImport, type Imported, type ImportPart, joinedParts } from "./importModel.ts";
import { type Argument, computed, type PowerShellValue, StatementReader, textOf } from "./powershellValues.ts";
import { readScript } from "./script.ts";
import { type Word, wordAt } from "./words.ts";

/** Tells PowerShell by its cmdlets, variables, here-strings and prompt, by lines that a backtick continues, and by text that goes into a pipe. */
export function looksLikePowerShell(text: string): boolean {
  return /\b(?:Invoke-(?:RestMethod|WebRequest)|irm|iwr|curl\.exe|ConvertTo-Json)\b|\$env:|^[ \t]*(?:\[[\w.]+\]\s*)?\$\w+\s*=|[^`\s][ \t]+`\r?$|^PS[^>\r\n]*>|^[ \t]*@['"]\r?$|\s-Body\b|^[('].*\|\r?$/im.test(
    text,
  );
}

/** The text before a statement on its line: prompts, brackets of blocks and the words that open one. */
const beforeStatement =
  /(?:[ \t;}]|<#[\s\S]*?(?:#>|$)|(?<![^\r\n])(?:PS[^>\r\n]{0,200}>|>>)|\b(?:foreach|for|while|if|elseif|else|try|catch|finally|do|function)\b[^\r\n{]*\{)*/y;

/**
 * Reads requests of a PowerShell script: `curl.exe`, `cast`, `Invoke-RestMethod` and `Invoke-WebRequest`, by any of
 * their names. Comments become Markdown; other statements are left out.
 */
export function readPowerShell(text: string): Imported {
  let made: ImportPart[] = [];
  const statements = new StatementReader(text, (words, input, name) => {
    const output = runCommand(text, words, input, name);
    if (output && "json" in output) return output;
    if (output) made.push(withoutComputed(output, words[0]?.span.start ?? 0));
    return undefined;
  });
  const read = readScript(text, { comment: /^#[ \t]?(.*)$/, namesOthers: false }, (start, lineEnd) => {
    made = [];
    let hasRead = false;
    let at = start;
    while (at < lineEnd) {
      beforeStatement.lastIndex = at;
      const from = at + (beforeStatement.exec(text)?.[0].length ?? 0);
      const { isRead, end } = statements.statement(from);
      hasRead ||= isRead;
      at = Math.max(end, at + 1);
    }
    return hasRead ? { ...joinedParts(made), end: at - 1 } : undefined;
  });
  const notes = [...read.notes, ...statements.notes];
  return { ...read, variables: new Map<string, JsonValue>(), secrets: statements.texts(), notes };
}

/** Leaves out requests and addresses that have to be computed. No answer depends on the `id`. */
function withoutComputed({ entries, notes }: ImportPart, at: number): ImportPart {
  const hasComputed = (text: string): boolean => text.includes(computed);
  const parts = entries.map((entry): ImportPart => {
    if (entry.kind === "markdown") return { entries: [entry], notes: [] };
    const body = entry.body.replace(new RegExp(`("id": ?)"?${computed}"?`, "u"), "$11");
    if (hasComputed(body)) return failedImport("The request has a computed value, so it is left out.", at);
    if (!hasComputed(JSON.stringify(entry.target ?? ""))) return { entries: [{ ...entry, body }], notes: [] };
    const what = "The address or a header is computed, so the address is left out.";
    return { entries: [{ ...entry, body, target: undefined }], notes: [{ at, severity: "note", what }] };
  });
  const isLeftOut = parts.some((part) => part.entries.length === 0);
  return joinedParts([{ entries: [], notes: isLeftOut ? [] : notes }, ...parts]);
}

/** @returns Requests, a value, or `undefined` for commands that play no part. */
function runCommand(
  text: string,
  [program, ...args]: readonly Argument[],
  input: PowerShellValue | undefined,
  name: string | undefined,
): ImportPart | PowerShellValue | undefined {
  if (!program) return undefined;
  const command = program.text.toLowerCase().replace(/^.*[\\/]/, "");
  if (command === "convertto-json") return jsonOf(input ?? args.find(({ value }) => value)?.value);
  if (command === "write-output" || command === "echo") return args[0] && { json: args[0].text, quoted: args[0] };
  if (command === "cast") return readCast(program, args, input?.quoted, name);
  if (/^(?:invoke-restmethod|invoke-webrequest|irm|iwr)$/.test(command)) return readCmdlet(program, args, name);
  if (!/^curl(?:\.exe)?$/.test(command)) return undefined;
  if (command === "curl" && args.some(({ text: one }) => /^-(?:uri|method|body|headers)$/i.test(one)))
    return readCmdlet(program, args, name);
  const raw = args.find(({ text: one }) => one === "--%"); // the rest of the line is for `cmd`
  const words = raw ? (readLine(text, raw.span.end, "cmd", new Map()).commands[0]?.words ?? []) : args;
  return readCurl(program, words, input?.quoted, name);
}

function jsonOf(value: PowerShellValue | undefined): PowerShellValue | undefined {
  if (!value) return undefined;
  const json = printJson(value.json);
  return { json, quoted: wordAt(json, value.quoted?.places[0] ?? 0) };
}

/** The options of curl that say the same as parameters of the cmdlets; parameters may be shortened. */
const options: readonly (readonly [parameter: string, least: number, option: string])[] = [
  ["uri", 1, "--url"],
  ["body", 1, "--data-raw"],
  ["infile", 3, "-d"],
  ["headers", 1, "-H"],
  ["method", 2, "-X"],
  ["useragent", 5, "-A"],
  ["timeoutsec", 4, "-m"],
];
const switches =
  /^-(?:usebasicparsing|skip\w+|verbose|debug|allow\w+|disable\w+|noproxy|usedefaultcredentials|passthru|resume|preserve\w+)$/i;

/** Reads a cmdlet as the same command of curl. */
function readCmdlet(program: Word, args: readonly Argument[], name: string | undefined): ImportPart {
  const words = [...parametersOf(args)].flatMap(([parameter, value]): readonly Word[] => {
    const short = parameter.slice(1).toLowerCase();
    const [, , option] = options.find(([one, least]) => short.length >= least && one.startsWith(short)) ?? [];
    if (option === undefined) return [];
    const at = value.span.start;
    const json = value.value?.json;
    if (option === "-d") return [wordAt(option, at), wordAt(`@${value.text}`, at)];
    if (option !== "-H") return [wordAt(option, at), value];
    const headers = isObject(json) ? Object.entries(json) : [];
    return headers.flatMap(([key, header]) => [wordAt(option, at), wordAt(`${key}: ${textOf(header)}`, at)]);
  });
  return readCurl(program, words, undefined, name);
}

/** Pairs of a parameter and its value; the address needs no parameter. */
function* parametersOf(args: readonly Argument[]): Generator<readonly [parameter: string, value: Argument]> {
  for (let i = 0; i < args.length; i++) {
    const arg = args[i];
    if (!arg) return;
    const json = arg.value?.json;
    const [, parameter, inside] = /^(-[A-Za-z]+)(?::([\s\S]*))?$/.exec(arg.text) ?? [];
    if (arg.isSplat && isObject(json)) {
      for (const [key, value] of Object.entries(json))
        yield [`-${key}`, { ...wordAt(textOf(value), arg.span.start), value: { json: value } }];
    } else if (parameter === undefined) yield ["-uri", arg];
    else if (switches.test(parameter)) continue;
    else {
      const value = inside ? { ...arg, text: inside, places: arg.places.slice(-inside.length - 1) } : args[++i];
      if (value) yield [parameter, value];
    }
  }
}
