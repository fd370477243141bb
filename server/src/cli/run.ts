import { type JsonValue, parseJson, printJson } from "../base/json.ts";
import { lineColumn, listed, nearest, plural, visible } from "../base/text.ts";
import { formatDuration } from "../base/units.ts";
import { knownEndpoints } from "../endpoints/known.ts";
import { explainEndpoint, resolveEndpoint } from "../endpoints/resolve.ts";
import type { Host } from "../host.ts";
import { reportText } from "../report/text.ts";
import type { FinishedCell } from "../run/finished.ts";
import type { Explanation } from "../run/notSent.ts";
import { createService, type Service } from "../service.ts";
import type { RunOptions } from "./arguments.ts";
import { type NotebookFile, openNotebooks } from "./files.ts";
import { exitCodes, styled, type Terminal } from "./terminal.ts";

interface FileResult {
  readonly file: NotebookFile;
  readonly cells: readonly FinishedCell[];
  readonly durationMs: number;
}

/**
 * `rpc-notebook run`: runs notebooks one after the other and prints each cell as it ends, in the order of the file.
 *
 * @returns The exit code.
 */
export async function run(options: RunOptions, host: Host, terminal: Terminal, signal: AbortSignal): Promise<number> {
  const files = await openNotebooks(options.files, host.files, terminal);
  if (!files) return exitCodes.usage;
  const service = createService(host);
  for (const file of files) service.openText(file.uri, file.text);
  const choices = files.map((file) => chooseCells(service, file, options.cells));
  const wrong = [...(await wrongEndpoint(options.endpoint, files, host)), ...choices.flatMap(({ unknown }) => unknown)];
  for (const { what, todo } of wrong) terminal.complain(what, todo);
  if (wrong.length > 0) return exitCodes.usage;

  const results: FileResult[] = [];
  for (const [at, file] of files.entries()) {
    if (options.report === "text" && files.length > 1)
      terminal.print(`${at > 0 ? "\n" : ""}${styled(terminal, "bold", file.name)}\n`);
    results.push(await runFile(service, file, choices[at]?.indices, options, host, terminal, signal));
  }
  if (options.report === "json") terminal.print(printJson(results.map(fileJson), 2));
  else terminal.print(summary(results, signal.aborted, terminal));
  const ok = !signal.aborted && results.every(({ cells }) => cells.every((cell) => cell.ok));
  return ok ? exitCodes.ok : exitCodes.failed;
}

/** `--endpoint` may name what one of the notebooks does not know. */
async function wrongEndpoint(
  name: string | undefined,
  files: readonly NotebookFile[],
  host: Host,
): Promise<readonly Explanation[]> {
  if (name === undefined) return [];
  for (const { uri } of files) {
    const { endpoints } = await knownEndpoints(host.files, uri, host.roots);
    const found = resolveEndpoint({ cli: name }, endpoints);
    if ("code" in found) return [explainEndpoint(found)];
  }
  return [];
}

interface ChosenCells {
  /** `undefined` for all. */
  readonly indices: readonly number[] | undefined;
  readonly unknown: readonly Explanation[];
}

/** Cells by name, or by number from 1. */
function chooseCells(service: Service, { uri, name }: NotebookFile, keys: readonly string[]): ChosenCells {
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
  const quoted = (near.length > 0 ? near : names.slice(0, 10)).map((name) => `\`${name}\``);
  if (near.length > 0) return `Did you mean ${listed(quoted, "or")}?`;
  return names.length > 0
    ? `It has ${names.length > quoted.length ? `${quoted.join(", ")}, …` : listed(quoted)}; others go by their number, from 1.`
    : "Its cells have no names: give a number from 1.";
}

async function runFile(
  service: Service,
  file: NotebookFile,
  indices: readonly number[] | undefined,
  options: RunOptions,
  { clock }: Host,
  terminal: Terminal,
  signal: AbortSignal,
): Promise<FileResult> {
  const begun = clock.now();
  const ended = new Map<number, FinishedCell>();
  const printed = new Set<number>();
  let order: readonly number[] = [];
  const flush = (): void => {
    for (const index of order) {
      const cell = ended.get(index);
      if (!cell) break;
      if (printed.has(index)) continue;
      printed.add(index);
      if (options.report === "text" && !cell.cancelled) terminal.print(cellText(cell, file, terminal));
    }
    if (ended.size < order.length) terminal.progress(`… ${ended.size} of ${plural(order.length, "cell")}`);
  };
  await service.run(
    {
      uri: file.uri,
      ...(indices && { cells: indices.map((index) => ({ index })) }),
      ...(options.endpoint !== undefined && { endpoint: options.endpoint }),
    },
    {
      planned(indicesInOrder) {
        order = indicesInOrder;
        flush();
      },
      started: () => {},
      finished(cell) {
        ended.set(cell.index, cell);
        flush();
      },
    },
    signal,
    new Map(options.variables.map(([name, text]) => [name, parseJson(text) ?? text])),
  );
  return { file, cells: order.flatMap((index) => ended.get(index) ?? []), durationMs: clock.now() - begun };
}

function cellText(cell: FinishedCell, file: NotebookFile, terminal: Terminal): string {
  const mark = cell.ok ? styled(terminal, "green", "✓") : styled(terminal, "red", "✗");
  const { reports } = cell.output;
  const alone = reports.length === 1;
  const body = reports.map((report) =>
    reportText(report, {
      mark: !alone,
      color: terminal.color,
      ...(terminal.width !== undefined && { width: terminal.width - 2 }),
    }),
  );
  const items = body.map((text) => text.replace(/^(?=.)/gm, "  "));
  const text = alone ? (body[0] ?? "") : [visible(cell.title), ...items].join("\n");
  const { line, column } = lineColumn(file.text, cell.span.start);
  const place = cell.ok ? "" : `\n  ${styled(terminal, "dim", `at ${file.name}:${line}:${column}`)}`;
  return `${mark} ${text}${place}\n`;
}

function summary(results: readonly FileResult[], cancelled: boolean, terminal: Terminal): string {
  const cells = results.flatMap((one) => one.cells);
  const where = results.length > 1 ? ` in ${plural(results.length, "notebook")}` : "";
  if (cells.length === 0) return `Nothing to run: no cell with a request${where}.`;
  const good = cells.filter(({ ok }) => ok).length;
  const stopped = cells.filter((cell) => cell.cancelled).length;
  const bad = cells.length - good - stopped;
  const time = formatDuration(results.reduce((sum, one) => sum + one.durationMs, 0));
  const parts = [
    `${good < cells.length ? `${good} of ${plural(cells.length, "cell")}` : plural(good, "cell")} ok`,
    ...(bad > 0 ? [styled(terminal, "red", `${bad} failed`)] : []),
    ...(stopped > 0 ? [`${stopped} without an answer`] : []),
  ];
  return `${cancelled ? "Cancelled: " : ""}${parts.join(", ")}${where}, ${time}`;
}

function fileJson({ file, cells, durationMs }: FileResult): JsonValue {
  return {
    file: file.name,
    ok: cells.every((cell) => cell.ok),
    durationMs,
    cells: cells.map((cell) => ({
      key: cell.key,
      title: cell.title,
      ok: cell.ok,
      durationMs: cell.durationMs,
      ...(cell.notSent && { notSent: { what: cell.notSent.what, todo: cell.notSent.todo } }),
      answers: cell.answers(),
      misses: cell.misses.map(({ path, expected, found }) => ({ path, expected, found })),
    })),
  };
}
