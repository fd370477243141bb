import { names } from "../analysis/order.ts";
import { dependencies } from "../analysis/references.ts";
import type { Explanation } from "../base/error.ts";
import { type JsonValue, parseJson } from "../base/json.ts";
import { listed, nearest } from "../base/text.ts";
import { explainEndpoint } from "../endpoints/resolveEndpoint.ts";
import { headerValues } from "../notebook/header.ts";
import { readFile } from "../notebook/readFile.ts";
import type { Service } from "../service/service.ts";
import type { NotebookFile } from "./files.ts";
import type { RunOptions } from "./runOptions.ts";

/**
 * Chooses the endpoint for notebooks.
 *
 * @param name - The value of `--endpoint`.
 * @param source - The origin of the name, if it is not that option.
 * @returns Why a notebook cannot use it.
 */
export async function chooseEndpoint(
  name: string | undefined,
  files: readonly { readonly uri: string }[],
  service: Service,
  source?: string,
): Promise<readonly Explanation[]> {
  if (name === undefined) return [];
  for (const { uri } of files) {
    const fault = await service.chooseEndpoint(uri, name);
    if (fault?.code === "unknown-endpoint" && source !== undefined) return [explainEndpoint({ ...fault, why: source })];
    if (fault) return [explainEndpoint(fault)];
  }
  return [];
}

/** Returns the values of `--var`. Text that is JSON is read as JSON. */
export function valuesOf(variables: RunOptions["variables"]): ReadonlyMap<string, JsonValue> {
  return new Map(variables.map(([name, text]) => [name, parseJson(text) ?? text]));
}

/** Finds each `--var` that no notebook declares or refers to. */
export function wrongVariables(
  variables: RunOptions["variables"],
  files: readonly NotebookFile[],
): readonly Explanation[] {
  if (variables.length === 0) return [];
  const known = new Set(files.flatMap(({ text }) => variableNames(text)));
  return variables
    .filter(([name]) => !known.has(name))
    .map(([name]) => ({
      what: `--var ${name}: unknown variable \`${name}\`.`,
      todo: suggestion(name, known) ?? listOfVariables([...known]),
    }));
}

function variableNames(text: string): readonly string[] {
  const { header, cells } = readFile(text);
  const declared = headerValues(header?.cell).variables.keys();
  const results = names(cells);
  const used = cells.flatMap((cell) => dependencies(cell).map(({ name }) => name));
  return [...declared, ...used.filter((name) => !results.has(name))];
}

function listOfVariables(names: readonly string[]): string {
  if (names.length === 0) return "The notebook has no variables: write {{NAME}} where the value belongs.";
  return names.length === 1 ? `The only variable is ${someOf(names)}.` : `The variables are ${someOf(names)}.`;
}

function suggestion(name: string, names: Iterable<string>): string | undefined {
  const near = nearest(name, names);
  return near.length > 0 ? `Did you mean ${listed(near.map(quoted), "or")}?` : undefined;
}

function someOf(names: readonly string[]): string {
  const shown = names.slice(0, 10).map(quoted);
  return names.length > shown.length ? `${shown.join(", ")}, …` : listed(shown);
}

export interface ChosenNotebook {
  readonly file: NotebookFile;
  /** `undefined` for all cells. */
  readonly indices: readonly number[] | undefined;
  readonly unknown: readonly Explanation[];
}

export function chooseCells(service: Service, file: NotebookFile, keys: readonly string[]): ChosenNotebook {
  if (keys.length === 0) return { file, indices: undefined, unknown: [] };
  const { uri, name } = file;
  const indices = keys.map((key) => service.cellIndex(uri, key));
  const names = service.cellNames(uri);
  return {
    file,
    indices: indices.filter((index) => index !== undefined),
    unknown: keys
      .filter((_, at) => indices[at] === undefined)
      .map((key) => ({
        what: `${name} has no cell \`${key}\` that can run.`,
        todo: listOfCells(key, names, service.cellCount(uri)),
      })),
  };
}

function listOfCells(key: string, names: readonly string[], count: number): string {
  if (count === 0) return "It has no cell with a request.";
  const numbers = count === 1 ? "Its only cell has the number 1" : `Its cells have the numbers 1 to ${count}`;
  if (names.length === 0 || /^\d+$/.test(key)) return `${numbers}, not counting Markdown.`;
  return suggestion(key, names) ?? `It has ${someOf(names)}. ${numbers}, not counting Markdown.`;
}

function quoted(name: string): string {
  return `\`${name}\``;
}
