import { dependencies } from "../analysis/references.ts";
import { listed, nearest } from "../base/text.ts";
import { explainEndpoint } from "../endpoints/resolve.ts";
import { headerValues } from "../notebook/header.ts";
import { readFile } from "../notebook/readFile.ts";
import type { Explanation } from "../run/notSent.ts";
import type { Service } from "../service.ts";
import type { RunOptions } from "./arguments.ts";
import type { NotebookFile } from "./files.ts";

/** `--endpoint` may name what one of the notebooks does not know. */
export async function wrongEndpoint(
  name: string | undefined,
  files: readonly Pick<NotebookFile, "uri">[],
  service: Service,
): Promise<readonly Explanation[]> {
  if (name === undefined) return [];
  for (const { uri } of files) {
    const fault = await service.endpointFault(uri, name);
    if (fault) return [explainEndpoint(fault)];
  }
  return [];
}

/** A `--var` counts for nothing where no notebook declares it and none refers to it. */
export function wrongVariables(
  variables: RunOptions["variables"],
  files: readonly NotebookFile[],
): readonly Explanation[] {
  if (variables.length === 0) return [];
  const known = new Set(files.flatMap(({ text }) => variableNames(text)));
  return variables
    .filter(([name]) => !known.has(name))
    .map(([name]) => {
      const near = nearest(name, known);
      const todo = near.length > 0 ? `Did you mean ${listed(near.map(quoted), "or")}?` : offeredVariables([...known]);
      return { what: `--var ${name}: no variable and no placeholder is called \`${name}\`.`, todo };
    });
}

function variableNames(text: string): readonly string[] {
  const { header, cells } = readFile(text);
  const declared = headerValues(header?.cell).variables.keys();
  return [...declared, ...cells.flatMap((cell) => dependencies(cell).map(({ name }) => name))];
}

function offeredVariables(known: readonly string[]): string {
  if (known.length === 0) return "There are none here: write {{NAME}} where its value is due.";
  const shown = known.slice(0, 10).map(quoted);
  return `There ${known.length === 1 ? "is" : "are"} ${known.length > shown.length ? `${shown.join(", ")}, …` : listed(shown)}.`;
}

interface ChosenCells {
  /** `undefined` for all. */
  readonly indices: readonly number[] | undefined;
  readonly unknown: readonly Explanation[];
}

/** Cells by name, or by number from 1. */
export function chooseCells(service: Service, { uri, name }: NotebookFile, keys: readonly string[]): ChosenCells {
  if (keys.length === 0) return { indices: undefined, unknown: [] };
  const found = keys.map((key) => service.cellIndex(uri, key));
  const names = service.cellNames(uri);
  return {
    indices: found.filter((index) => index !== undefined),
    unknown: keys
      .filter((_, at) => found[at] === undefined)
      .map((key) => ({ what: `${name} has no cell \`${key}\` that could run.`, todo: offered(key, names) })),
  };
}

function offered(key: string, names: readonly string[]): string {
  const near = nearest(key, names);
  const shown = (near.length > 0 ? near : names.slice(0, 10)).map(quoted);
  if (near.length > 0) return `Did you mean ${listed(shown, "or")}?`;
  return names.length > 0
    ? `It has ${names.length > shown.length ? `${shown.join(", ")}, …` : listed(shown)}; others go by their number, from 1, Markdown not counted.`
    : "Its cells have no names: give a number from 1, Markdown not counted.";
}

function quoted(name: string): string {
  return `\`${name}\``;
}
