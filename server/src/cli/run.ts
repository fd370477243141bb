import type { Explanation } from "../base/explanation.ts";
import { parseJson } from "../base/json.ts";
import { plural } from "../base/text.ts";
import { snapshotFault } from "../execution/snapshots.ts";
import { openLimiter } from "../rpc/limiter.ts";
import type { CellResult } from "../run/cellResult.ts";
import type { Service } from "../service/service.ts";
import type { Host } from "../workspace/host.ts";
import { chooseCells, chooseEndpoint, wrongVariables } from "./choose.ts";
import type { RunOptions } from "./command.ts";
import { tellEndpointFiles } from "./endpointFiles.ts";
import { type NotebookFile, openNotebooks } from "./files.ts";
import { printLargeJson } from "./largeJson.ts";
import { openService } from "./openService.ts";
import { cellText, type FileResult, fileJson, isFine, summary } from "./results.ts";
import { openStreamRows } from "./streamRows.ts";
import { exitCodes, plain, type Terminal } from "./terminal.ts";

/**
 * `rpc-notebook run`: runs notebooks, several at once, and prints each cell as it ends, in the order of the files.
 *
 * @returns The exit code.
 */
export async function run(options: RunOptions, host: Host, screen: Terminal, signal: AbortSignal): Promise<number> {
  const { service, terminal } = openService(host, screen);
  const once = (names: readonly string[]): Promise<number> =>
    runOnce({ ...options, files: names }, service, host, terminal, signal);
  if (!options.watch) return once(options.files);
  const { watch } = await import("./watch.ts");
  return watch(options.files, once, terminal, signal);
}

async function runOnce(
  options: RunOptions,
  service: Service,
  host: Host,
  terminal: Terminal,
  signal: AbortSignal,
): Promise<number> {
  const files = await openNotebooks(options.files, host.files, terminal);
  if (!files) return exitCodes.usage;
  for (const file of files) service.openText(file.uri, file.text);
  const choices = files.map((file) => chooseCells(service, file, options.cells));
  const wrong: readonly Explanation[] = [
    ...(await chooseEndpoint(options.endpoint, files, service)),
    ...(options.compare && "with" in options.compare ? await chooseEndpoint(options.compare.with, files, service) : []),
    ...wrongVariables(options.variables, files),
    ...choices.flatMap(({ unknown }) => unknown),
    ...(await wrongSnapshots(options, files, host)),
  ];
  for (const { what, todo } of wrong) terminal.complain(what, todo);
  if (wrong.length > 0) {
    tellEndpointFiles(service, terminal);
    return exitCodes.usage;
  }

  if (options.compare) {
    const { compare } = await import("./compare.ts");
    const cells = files.map((file, at) => ({ file, indices: choices[at]?.indices }));
    const code = await compare(cells, options, options.compare, service, terminal, signal);
    tellEndpointFiles(service, terminal);
    return code;
  }
  const tasks = files.map(
    (file, at) => (screen: Screen) => runFile(service, file, choices[at]?.indices, options, host, screen, signal),
  );
  // What writes may go by the order of the files.
  const results = await inOrder(tasks, options.allowWrites ? 1 : options.jobs, (at) =>
    screenOf(terminal, files, at, options.report === "text"),
  );
  const used = new Set(results.flatMap(({ cells }) => cells.flatMap(({ endpoints }) => endpoints)));
  tellEndpointFiles(service, terminal, used.size > 0 ? used : undefined);
  await report(results, options, terminal, signal);
  return !signal.aborted && results.every(isFine) ? exitCodes.ok : exitCodes.failed;
}

async function wrongSnapshots(
  { snapshot }: RunOptions,
  files: readonly NotebookFile[],
  host: Host,
): Promise<readonly Explanation[]> {
  if (snapshot === undefined) return [];
  const faults = await Promise.all(files.map(({ uri }) => snapshotFault(uri, snapshot, host.files)));
  return faults.filter((fault) => fault !== undefined);
}

async function report(
  results: readonly FileResult[],
  options: RunOptions,
  terminal: Terminal,
  { aborted }: AbortSignal,
): Promise<void> {
  for (const { snapshot } of results) if (snapshot?.fault !== undefined) terminal.complain(snapshot.fault);
  switch (options.report) {
    case "text":
      return terminal.print(summary(results, aborted, terminal.paint));
    case "json":
      return printLargeJson(results.map(fileJson), terminal);
    case "junit": {
      const { junit } = await import("./junit.ts");
      terminal.print(junit(results));
      for (const line of summary(results, aborted, plain).split("\n")) terminal.note(line);
      return;
    }
  }
}

/** Where a notebook tells how far it is. */
interface Screen {
  print(text: (terminal: Terminal) => string): void;
  progress(text: string): void;
}

/** What a notebook prints comes when those before it are done. */
interface HeldScreen extends Screen {
  /** It is its turn: what was held back, and from now on everything at once. */
  release(): void;
}

function screenOf(terminal: Terminal, files: readonly NotebookFile[], at: number, shows: boolean): HeldScreen {
  const held: ((terminal: Terminal) => string)[] = [];
  let isFirst = false;
  return {
    print(text) {
      if (!shows) return;
      if (isFirst) terminal.print(text(terminal));
      else held.push(text);
    },
    progress(text) {
      if (isFirst) terminal.progress(text);
    },
    release() {
      isFirst = true;
      if (shows && files.length > 1)
        terminal.print(`${at > 0 ? "\n" : ""}${terminal.paint("bold", files[at]?.name ?? "")}\n`);
      for (const text of held.splice(0)) terminal.print(text(terminal));
    },
  };
}

/** Runs tasks, so many at once, each with a screen of its own; the screens are released one after the other. */
async function inOrder<Result>(
  tasks: readonly ((screen: Screen) => Promise<Result>)[],
  jobs: number,
  screenAt: (at: number) => HeldScreen,
): Promise<readonly Result[]> {
  const lane = openLimiter(jobs);
  const going = tasks.map((task, at) => {
    const screen = screenAt(at);
    return { screen, result: lane.run(() => task(screen)) };
  });
  const results: Result[] = [];
  for (const { screen, result } of going) {
    screen.release();
    results.push(await result);
  }
  return results;
}

async function runFile(
  service: Service,
  file: NotebookFile,
  indices: readonly number[] | undefined,
  options: RunOptions,
  { clock }: Host,
  screen: Screen,
  signal: AbortSignal,
): Promise<FileResult> {
  const [startedAt, begunAt] = [clock.date(), clock.now()];
  const ended = new Map<number, CellResult>();
  let printed = 0;
  const streamed = new Set<number>();
  const streams = openStreamRows();
  let order: readonly number[] = [];
  const flush = (): void => {
    for (let cell = ended.get(order[printed] ?? -1); cell; cell = ended.get(order[++printed] ?? -1)) {
      const { index } = cell;
      if (!cell.cancelled || cell.isPartial)
        screen.print((terminal) =>
          cellText(cell, file, terminal, { brief: streamed.has(index), rows: options.stream.rows }),
        );
    }
    if (ended.size < order.length) screen.progress(`… ${ended.size} of ${plural(order.length, "cell")}`);
  };
  const { snapshot } = await service.run(
    {
      uri: file.uri,
      ...(indices && { cells: indices.map((index) => ({ index })) }),
      ...(options.endpoint !== undefined && { endpoint: options.endpoint }),
      ...(options.snapshot && { snapshot: options.snapshot }),
      stream: options.stream,
    },
    {
      planned(indicesInOrder) {
        order = indicesInOrder;
        flush();
      },
      started: () => {},
      waiting: ({ why }) => screen.progress(`… ${why}`),
      streamed(event) {
        streamed.add(event.index);
        if (event.rows.length + event.told.length > 0) screen.print((terminal) => streams.text(event, terminal));
      },
      finished(cell) {
        ended.set(cell.index, cell);
        flush();
      },
    },
    signal,
    new Map(options.variables.map(([name, text]) => [name, parseJson(text) ?? text])),
  );
  const cells = order.flatMap((index) => ended.get(index) ?? []);
  return { file, cells, startedAt, durationMs: clock.now() - begunAt, snapshot };
}
