import { dependencies } from "../analysis/references.ts";
import type { Explanation } from "../base/explanation.ts";
import { listed, nearest } from "../base/text.ts";
import { explainEndpoint } from "../endpoints/resolve.ts";
import { headerValues } from "../notebook/header.ts";
import { readFile } from "../notebook/readFile.ts";
import type { Service } from "../service/service.ts";
import type { RunOptions } from "./command.ts";
import type { NotebookFile } from "./files.ts";

/**
 * Lets notebooks send requests to the endpoint that `--endpoint` names, or says why one of them cannot.
 *
 * @param why - What names it in place of that option.
 */
export async function chooseEndpoint(
  name: string | undefined,
  files: readonly Pick<NotebookFile, "uri">[],
  service: Service,
  why?: string,
): Promise<readonly Explanation[]> {
  if (name === undefined) return [];
  for (const { uri } of files) {
    const fault = await service.chooseEndpoint(uri, name);
    if (fault)
      return [explainEndpoint(why !== undefined && fault.code === "unknown-endpoint" ? { ...fault, why } : fault)];
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
      .map((key) => ({
        what: `${name} has no cell \`${key}\` that could run.`,
        todo: offered(key, names, service.cellCount(uri)),
      })),
  };
}

function offered(key: string, names: readonly string[], count: number): string {
  if (count === 0) return "It has no cell with a request.";
  const numbers = count === 1 ? "Its one cell has the number 1" : `Its cells have the numbers 1 to ${count}`;
  if (names.length === 0 || /^\d+$/.test(key)) return `${numbers}, Markdown not counted.`;
  const near = nearest(key, names);
  if (near.length > 0) return `Did you mean ${listed(near.map(quoted), "or")}?`;
  const shown = names.slice(0, 10).map(quoted);
  return `It has ${names.length > shown.length ? `${shown.join(", ")}, …` : listed(shown)}; others go by their number, from 1, Markdown not counted.`;
}

function quoted(name: string): string {
  return `\`${name}\``;
}
