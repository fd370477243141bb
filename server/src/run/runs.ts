import { withWritten } from "../abi/abiScope.ts";
import type { InWords } from "../abi/clearSigning.ts";
import { describedCalls } from "../abi/describedCalls.ts";
import { abiScope } from "../analysis/abi.ts";
import { labels, namesByAddress } from "../analysis/labels.ts";
import { cellWords } from "../analysis/references.ts";
import type { JsonValue } from "../base/json.ts";
import { memoByObject } from "../base/memo.ts";
import { rowFilesOf } from "../evaluate/each.ts";
import { writerOf } from "../evaluate/save.ts";
import { openEndpointQueues } from "../gate/endpointQueues.ts";
import type { Gate } from "../gate/gate.ts";
import type { IntentOf } from "../gate/writePermissions.ts";
import type { Cell } from "../notebook/cell.ts";
import { cellNumbers } from "../notebook/key.ts";
import type { CellTest, RowsParams, RowsResult, RunOptions, RunResult, StreamControl } from "../protocol/runs.ts";
import { intentOf, type Signed } from "../report/intent.ts";
import type { Labels } from "../report/shown.ts";
import { knownNames } from "../report/words.ts";
import { type Document, fileRange } from "../workspace/documents.ts";
import { withContractNames } from "../workspace/labelFiles.ts";
import { indexOfRef, keysOf, type OpenDocuments } from "../workspace/openDocuments.ts";
import { readRowFiles } from "../workspace/rowFiles.ts";
import { titleOf } from "./cellRun.ts";
import { chainOf, type DocumentRun, type RunSupport } from "./documentRun.ts";
import { expectNodes } from "./judge/failedChecks.ts";
import { statedTokens } from "./observe/runTokens.ts";
import { CellLocator } from "./plan.ts";
import { openAssumedState } from "./prepare/statePlaces.ts";
import type { RunEvents, RunWithEvents } from "./result/runEvents.ts";
import { RunProgress } from "./result/runProgress.ts";
import { openSnapshot } from "./result/snapshots.ts";
import { Run } from "./run.ts";

/** Running cells, and what their runs left to look at. */
export type Runs = ReturnType<typeof openRuns>;

/** @param begins - Called before an open document runs. */
export function openRuns(documents: OpenDocuments, support: RunSupport, begins: (document: Document) => void) {
  return {
    /**
     * Runs cells and what they refer to, also of a file that is not open.
     *
     * @param variables - Override those of the header.
     */
    async run(
      params: RunOptions,
      events: RunEvents,
      signal: AbortSignal,
      variables: ReadonlyMap<string, JsonValue> = new Map(),
    ): Promise<RunResult> {
      const open = documents.of(params.uri);
      const document = open ?? (await documents.read(params.uri));
      if (!document) return { ok: 0, failed: 0, cancelled: false };
      if (open) begins(document);
      else documents.add(document); // for this run
      try {
        return await runCells(document, params, variables, events, signal, support);
      } finally {
        if (!open && documents.has(document)) documents.close(document.uri);
      }
    },
    /** Pauses, filters or stops a running subscription cell. */
    stream({ uri, cell, ...control }: StreamControl): void {
      const document = documents.of(uri);
      const key = document && keysOf(document)[indexOfRef(document, cell) ?? -1];
      if (key !== undefined) support.streamControls.control(document?.uri ?? uri, key, control);
    },
    /** Returns the cells that have expectations, also of a file that is not open. */
    async tests(uri: string): Promise<readonly CellTest[]> {
      const document = await documents.read(uri);
      return document ? cellTests(document) : [];
    },
    /** Returns rows of a table of an output, filtered and sorted. */
    rows: async (params: RowsParams, signal: AbortSignal): Promise<RowsResult> =>
      support.mask.own(await support.rowStore.page(params, signal)),
  };
}

/** Returns the cells of a notebook that have expectations, as tests of an editor. */
function cellTests(document: Document): readonly CellTest[] {
  const keys = keysOf(document);
  const numbers = cellNumbers(document.cells);
  return document.cells.flatMap((cell, index): readonly CellTest[] => {
    const key = keys[index];
    const place = fileRange(document, cell, { start: cell.root?.offset ?? 0, end: cell.text.trimEnd().length });
    if (key === undefined || !place || expectNodes(cell).length === 0) return [];
    return [{ key, index, title: titleOf(numbers[index] ?? 0, cell), place }];
  });
}

/**
 * Runs cells of a document and what they refer to, and keeps their results.
 *
 * @param variables - Override those of the header.
 */
export async function runCells(
  document: Document,
  params: RunOptions,
  variables: ReadonlyMap<string, JsonValue>,
  events: RunEvents,
  signal: AbortSignal,
  given: RunSupport,
): Promise<RunResult> {
  const recorded = params.record ? given.recordings.begin(document.uri) : undefined;
  const kept = params.keep && !recorded ? given.recordings.keep(document.uri) : undefined;
  // what a recorded run has to ask is in the recording, even if it is known already
  const support = recorded ? { ...given, assumedState: openAssumedState(given.clock) } : given;
  const { catalogs, contracts } = support;
  catalogs.refresh(document);
  contracts.refresh(document);
  const locator = new CellLocator(document, params.cells);
  events.planned?.(locator.steps.map(({ index }) => index));
  const gate = (recorded ?? kept)?.gate;
  const documentRun = await openRun(document, params, variables, locator, events, signal, support, gate);
  const progress = new RunProgress(documentRun);
  const intents = intentDescriber(documentRun);
  const queues = await openEndpointQueues(locator.cells, documentRun.routes, progress, intents, signal); // asks for approval
  await catalogs.settled(document.uri);
  const { files, mask, roots } = support;
  const snapshot = await openSnapshot({ uri: document.uri, keys: locator.keys, roots }, params.snapshot, files, mask);
  const run = new Run(documentRun, params, queues, snapshot);
  await run.ended;
  await recorded?.end(signal);
  kept?.end();
  return run.result();
}

const rowFilesIn = memoByObject((cells: readonly Cell[]) => cells.flatMap(rowFilesOf).map(({ path }) => path));

/** Files of rows, without those that a cell of the run writes: they are read before that. */
async function readRows(cells: readonly Cell[], uri: string, support: RunSupport): Promise<DocumentRun["rowFiles"]> {
  const files = new Map(await readRowFiles(rowFilesIn(cells), uri, support));
  for (const path of files.keys()) {
    const writer = writerOf(path, cells);
    if (writer)
      files.set(path, { fault: `${cellWords(writer)} writes it in this run. Run that cell first, then this one` });
  }
  return files;
}

async function openRun(
  document: Document,
  { endpoint }: RunOptions,
  variables: ReadonlyMap<string, JsonValue>,
  locator: CellLocator,
  events: RunEvents,
  signal: AbortSignal,
  support: RunSupport,
  gate: Gate | undefined,
): Promise<RunWithEvents> {
  const [fromFiles, routes, rowFiles] = await Promise.all([
    support.labelFiles.ready(document.uri),
    support.routes.forRun(document, endpoint, locator.cells, gate),
    readRows(locator.cells, document.uri, support),
    support.contracts.settled(document.uri),
  ]);
  const header = {
    ...routes.header,
    labels: labels({
      header: document.header,
      labels: withContractNames(fromFiles, support.contracts.declared(document)),
    }),
  };
  const all = new Map([...header.variables, ...variables]);
  const names = namesByAddress(all, header.labels);
  return { document, header, locator, routes, variables: all, names, rowFiles, events, signal, support };
}

/** Describes requests before they are sent, with the names and ABIs of the notebook and its project. */
function intentDescriber(run: DocumentRun): IntentOf {
  const { document, header, support } = run;
  return async (cell, { method, params, called }) => {
    await support.signatures.loadIf(() => true);
    const abis = support.signatures.with(support.contracts.declared(document));
    const scope = abiScope(cell, { header: document.header, abis });
    const tokens = statedTokens(header);
    const inWords = async (signed: Signed, labels: Labels): Promise<InWords | undefined> => {
      const chainId = chainOf(run, cell);
      const names = knownNames(labels, tokens, chainId);
      if ("transaction" in signed) {
        const [said] = await support.descriptors.calls(document, describedCalls([signed.transaction], chainId), names);
        return said?.words;
      }
      return support.descriptors.typedData(document, signed, names);
    };
    const naming = { labels: run.names, tokens, inWords };
    return intentOf(method, params, { ...naming, scope: called ? withWritten(scope, called) : scope });
  };
}
