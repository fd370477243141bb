import { plural } from "../base/text.ts";
import type { CellResult } from "../run/result/cellResult.ts";
import type { Service } from "../service/service.ts";
import type { Host } from "../workspace/host.ts";
import { type ChosenNotebook, valuesOf } from "./choose.ts";
import type { RunOptions } from "./command.ts";
import type { NotebookFile } from "./files.ts";
import type { Screen } from "./orderedScreens.ts";
import { cellText, type FileResult, reportsText } from "./results.ts";
import { openStreamRows } from "./streamRows.ts";
import type { Terminal } from "./terminal.ts";

/** The parts that all runs of one command share. */
export interface RunContext {
  readonly options: RunOptions;
  readonly service: Service;
  readonly host: Host;
  readonly terminal: Terminal;
  readonly signal: AbortSignal;
}

/** Runs a notebook and prints each cell when it and those before it have ended. */
export async function runFile(
  { file, indices }: ChosenNotebook,
  {
    options,
    service,
    host: { clock },
    signal,
  }: Pick<RunContext, "service" | "host" | "signal"> & {
    readonly options: Pick<RunOptions, "endpoint" | "snapshot" | "stream" | "variables"> &
      Partial<Pick<RunOptions, "follow">>;
  },
  screen: Screen,
): Promise<FileResult> {
  const [startedAt, begunAt] = [clock.date(), clock.now()];
  const progress = followCells(file, options.stream.rows, screen);
  const { snapshot } = await service.run(
    {
      uri: file.uri,
      ...(indices && { cells: indices.map((index) => ({ index })) }),
      ...(options.endpoint !== undefined && { endpoint: options.endpoint }),
      ...(options.snapshot && { snapshot: options.snapshot }),
      stream: options.stream,
      ...(options.follow && { follow: true }),
    },
    progress.events,
    signal,
    valuesOf(options.variables),
  );
  return { file, cells: progress.cells(), startedAt, durationMs: clock.now() - begunAt, snapshot };
}

interface CellProgress {
  readonly events: Parameters<Service["run"]>[1];
  /** The cells that have ended, in the order of the file. */
  cells(): readonly CellResult[];
}

function followCells(file: NotebookFile, rows: number | undefined, screen: Screen): CellProgress {
  const ended = new Map<number, CellResult>();
  const streamed = new Set<number>();
  const streams = openStreamRows();
  let order: readonly number[] = [];
  let printed = 0;
  const print = (cell: CellResult): void => {
    if (cell.cancelled && !cell.isPartial) return;
    screen.print((terminal) => cellText(cell, file, terminal, { isStreamed: streamed.has(cell.index), rows }));
  };
  const printEnded = (): void => {
    for (let cell = ended.get(order[printed] ?? -1); cell; cell = ended.get(order[++printed] ?? -1)) print(cell);
    if (ended.size < order.length) screen.progress(`… ${ended.size} of ${plural(order.length, "cell")}`);
  };
  return {
    events: {
      planned(planned) {
        order = planned;
        printEnded();
      },
      started: () => {},
      waiting: ({ why }) => screen.progress(`… ${why}`),
      streamed(event) {
        const { live } = event.output.reports[0] ?? {};
        if (live?.onlyStop && !streamed.has(event.index))
          screen.print((terminal) => reportsText(event.output.reports, terminal, rows));
        streamed.add(event.index);
        if (event.rows.length + event.connectionMessages.length > 0)
          screen.print((terminal) => streams.text(event, terminal));
      },
      finished(cell) {
        ended.set(cell.index, cell);
        printEnded();
      },
    },
    cells: () => order.flatMap((index) => ended.get(index) ?? []),
  };
}
