import { plural, shortHex } from "../base/text.ts";
import type { Shown, TableSection } from "../report/report.ts";
import { inlineText } from "../report/shown.ts";
import { columnsOf, pad } from "../report/text.ts";
import type { CellResult } from "../run/result/cellResult.ts";
import type { StreamUpdate } from "../run/result/runEvents.ts";
import type { Service } from "../service/service.ts";
import type { Host } from "../workspace/host.ts";
import { type ChosenNotebook, valuesOf } from "./choose.ts";
import type { NotebookFile } from "./files.ts";
import type { OpenCommand } from "./openService.ts";
import type { Screen } from "./orderedScreens.ts";
import { type CellTextOptions, cellText, type FileResult, reportsText } from "./results.ts";
import type { RunOptions } from "./runOptions.ts";
import type { Terminal } from "./terminal.ts";
import { untracedWhy } from "./untraced.ts";

export interface RunContext extends OpenCommand {
  readonly options: RunOptions;
  readonly signal: AbortSignal;
}

interface FileRun {
  readonly options: FileRunOptions;
  readonly service: Service;
  readonly host: Host;
  readonly signal: AbortSignal;
}

interface FileRunOptions {
  readonly endpoint: RunOptions["endpoint"];
  readonly snapshot: RunOptions["snapshot"];
  readonly stream: RunOptions["stream"];
  readonly variables: RunOptions["variables"];
  readonly follow?: boolean;
  readonly trace?: boolean;
  readonly lookup?: string | undefined;
  readonly hasJson?: boolean | undefined;
  readonly isLookup?: boolean | undefined;
  /** Cells without the calls inside are failures. */
  readonly needsCalls?: boolean;
}

/** Runs a notebook and prints each cell when it and those before it have ended. */
export async function runFile(
  { file, indices }: ChosenNotebook,
  { options, service, host: { clock }, signal }: FileRun,
  screen: Screen,
): Promise<FileResult> {
  const [startedAt, begunAt] = [clock.date(), clock.now()];
  const untraced = new Map<CellResult, string>();
  const isUntraced = (cell: CellResult): boolean => {
    const why = options.needsCalls ? untracedWhy(cell, indices?.includes(cell.index) === true) : undefined;
    if (why !== undefined) untraced.set(cell, why);
    return why !== undefined;
  };
  const progress = followCells(file, { ...options, rows: options.stream.rows, isUntraced }, screen);
  const { snapshot, lookupNotes = [] } = await service.run(
    {
      uri: file.uri,
      ...(indices && { cells: indices.map((index) => ({ index })) }),
      ...(options.endpoint !== undefined && { endpoint: options.endpoint }),
      ...(options.snapshot && { snapshot: options.snapshot }),
      stream: options.stream,
      ...(options.follow && { follow: true }),
      ...(options.trace && { trace: true }),
      ...(options.lookup !== undefined && { lookup: "before" as const }),
    },
    progress.events,
    signal,
    valuesOf(options.variables),
  );
  const cells = progress.cells();
  return { file, cells, startedAt, durationMs: clock.now() - begunAt, snapshot, lookupNotes, untraced };
}

function followCells(
  file: NotebookFile,
  {
    isUntraced,
    ...shown
  }: Pick<CellTextOptions, "rows" | "hasJson" | "isLookup"> & { readonly isUntraced: (cell: CellResult) => boolean },
  screen: Screen,
) {
  const ended = new Map<number, CellResult>();
  const streamed = new Set<number>();
  const streams = openStreamRows();
  let order: readonly number[] = [];
  let printed = 0;
  const print = (cell: CellResult): void => {
    if (cell.cancelled && !cell.isPartial) return;
    const own = { isStreamed: streamed.has(cell.index), isUntraced: isUntraced(cell), ...shown };
    screen.print((terminal) => cellText(cell, file, terminal, own));
  };
  const printEnded = (): void => {
    for (let cell = ended.get(order[printed] ?? -1); cell; cell = ended.get(order[++printed] ?? -1)) print(cell);
    if (ended.size < order.length) screen.progress(`… ${ended.size} of ${plural(order.length, "cell")}`);
  };
  const events: Parameters<Service["run"]>[1] = {
    planned(planned) {
      order = planned;
      printEnded();
    },
    started: () => {},
    waiting: ({ why }) => screen.progress(`… ${why}`),
    streamed(event) {
      const { live } = event.output.reports[0] ?? {};
      if (live?.onlyStop && !streamed.has(event.index))
        screen.print((terminal) => reportsText(event.output.reports, terminal, shown));
      streamed.add(event.index);
      if (event.rows.length + event.connectionMessages.length > 0)
        screen.print((terminal) => streams.text(event, terminal));
    },
    finished(cell) {
      ended.set(cell.index, cell);
      printEnded();
    },
  };
  /** The cells that have ended, in the order of the file. */
  const cells = (): readonly CellResult[] => order.flatMap((index) => ended.get(index) ?? []);
  return { events, cells };
}

/**
 * Prints rows of subscriptions when they arrive, and events of their connections. The names of columns are above the first
 * row, and again when another cell or other columns follow. Columns are as wide as the widest value so far, so that rows align.
 */
export function openStreamRows() {
  let headed = "";
  let widths: readonly number[] = [];
  let short = false;
  return {
    text({ index, output: { reports }, rows, connectionMessages }: StreamUpdate, terminal: Terminal): string {
      const lines = connectionMessages.map((what) => terminal.paint("dim", what));
      const [report] = reports;
      const table = report?.sections.find((section): section is TableSection => section.kind === "table");
      if (rows.length === 0 || !report || !table) return lines.join("\n");
      const { columns } = table;
      const names = columns.map(({ name }) => name);
      const head = [index, ...names].join("\n");
      const isNew = head !== headed;
      headed = head;
      if (isNew) [widths, short] = [names.map(columnsOf), false];
      const texts = (): readonly (readonly string[])[] =>
        rows.map((row) => columns.map((_, at) => (short ? shortened(shown(row[at])) : shown(row[at]))));
      const grown = (): readonly number[] =>
        texts().reduce((before, row) => row.map((text, at) => Math.max(before[at] ?? 0, columnsOf(text))), widths);
      if (!short && terminal.width !== undefined && lengthOf(grown()) > terminal.width)
        [widths, short] = [names.map(columnsOf), true];
      widths = grown();
      const line = (cells: readonly string[]): string =>
        cells
          .map((text, at) => pad(text, widths[at] ?? 0, columns[at]?.align ?? "left"))
          .join("  ")
          .trimEnd();
      if (isNew) lines.push(terminal.paint("bold", report.title));
      if (isNew && names.length > 1) lines.push(terminal.paint("dim", line(names)));
      return [...lines, ...texts().map(line)].join("\n");
    },
  };
}

function lengthOf(widths: readonly number[]): number {
  return widths.reduce((sum, one) => sum + one + 2, -2);
}

function shortened(text: string): string {
  return text.replace(/0x[0-9a-fA-F]{16,}/g, shortHex);
}

function shown(value: Shown | undefined): string {
  return value ? inlineText(value) : "";
}
