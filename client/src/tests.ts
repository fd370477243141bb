import {
  type CancellationToken,
  Disposable,
  Location,
  l10n,
  Range,
  RelativePattern,
  type TestController,
  type TestItem,
  TestMessage,
  type TestRun,
  TestRunProfileKind,
  TestRunRequest,
  tests,
  Uri,
  workspace,
} from "vscode";
import type { FileRange } from "../../server/src/base/text.ts";
import type { CellFinished, CellTest } from "../../server/src/protocol/runs.ts";
import type { FailedCheck } from "../../server/src/report/report.ts";
import type { EndpointPicker } from "./endpointPicker.ts";
import { nextRunId } from "./executions.ts";
import type { Server } from "./languageClient.ts";
import { labelText, messageText, terminalText } from "./plainText.ts";

const notebooks = "**/*.rpc.json";
const excluded = "**/node_modules/**";

export type Tests = ReturnType<typeof registerTests>;

/**
 * Shows cells with expectations as tests. Searches for notebooks when the list of tests is opened, in trusted workspaces only.
 * The search sends nothing.
 */
export function registerTests(server: Server, picker: EndpointPicker) {
  const controller = tests.createTestController("rpcNotebook", "RPC Notebook");
  const list = testList(controller, server);
  controller.resolveHandler = (item) => (item === undefined ? list.discover() : list.refresh(item.uri));
  controller.refreshHandler = list.discover;
  const run = (request: TestRunRequest, token: CancellationToken): Promise<void> =>
    runTests(controller, list, server, picker, request, token);
  controller.createRunProfile(l10n.t("Run"), TestRunProfileKind.Run, run, true);
  const parts = Disposable.from(controller, list, workspace.onDidGrantWorkspaceTrust(list.discoverAgain));
  return Object.assign(parts, {
    /** Shows the results of a run that was started elsewhere. */
    show: (file: Uri, finished: readonly CellFinished[]) => showRun(controller, list, file, finished),
  });
}

type TestList = ReturnType<typeof testList>;

function testList(controller: TestController, server: Server) {
  const testsByItem = new WeakMap<TestItem, CellTest>();
  const watchers: Disposable[] = [];
  /** Reads the tests of a file again. */
  const refresh = async (file: Uri | undefined): Promise<void> => {
    if (file === undefined || !workspace.isTrusted) return;
    const answer = await server.request("rpcNotebook/tests", { uri: file.toString() }).catch(() => undefined);
    if (answer === undefined) return; // the client has logged why
    const id = file.toString();
    if (answer.tests.length === 0) return controller.items.delete(id);
    const item = controller.items.get(id) ?? controller.createTestItem(id, workspace.asRelativePath(file), file);
    item.canResolveChildren = true;
    item.children.replace(
      answer.tests.map((test) => {
        const child = testItem(controller, id, test);
        testsByItem.set(child, test);
        return child;
      }),
    );
    controller.items.add(item);
  };
  const watch = (): void => {
    for (const folder of workspace.workspaceFolders ?? []) {
      const watcher = workspace.createFileSystemWatcher(new RelativePattern(folder, notebooks));
      watchers.push(
        watcher,
        watcher.onDidCreate(refresh),
        watcher.onDidChange(refresh),
        watcher.onDidDelete((file) => controller.items.delete(file.toString())),
      );
    }
  };
  const discover = async (): Promise<void> => {
    if (!workspace.isTrusted) return;
    if (watchers.length === 0) watch();
    const files = await workspace.findFiles(notebooks, excluded);
    const existing = new Set(files.map((file) => file.toString()));
    controller.items.forEach(({ id }) => {
      if (!existing.has(id)) controller.items.delete(id);
    });
    await Promise.all(files.map(refresh));
  };
  let isDiscovered = false;
  return {
    async discover(): Promise<void> {
      isDiscovered = true;
      await discover();
    },
    /** Does nothing before the first call of `discover`. */
    async discoverAgain(): Promise<void> {
      if (isDiscovered) await discover();
    },
    refresh,
    /** Returns the test of an item; `undefined` for a file. */
    testOf: (item: TestItem) => testsByItem.get(item),
    dispose(): void {
      for (const one of watchers.splice(0)) one.dispose();
    },
  };
}

function testItem(controller: TestController, file: string, { key, title, place }: CellTest): TestItem {
  const item = controller.createTestItem(`${file}#${key}`, labelText(title), Uri.parse(place.uri));
  item.range = rangeOf(place);
  return item;
}

async function runTests(
  controller: TestController,
  list: TestList,
  server: Server,
  picker: EndpointPicker,
  request: TestRunRequest,
  token: CancellationToken,
): Promise<void> {
  const run = controller.createTestRun(request);
  try {
    for (const [file, selected] of chosenTests<TestItem>(controller.items, request)) {
      const before = new Set([...selected].map(({ id }) => id));
      await list.refresh(file.uri); // runs what the file says now
      const items = [...file.children].map(([, child]) => child).filter(({ id }) => before.has(id));
      if (token.isCancellationRequested || file.uri === undefined) break;
      const { uri } = file;
      const hasRun = await picker.withEndpoint(uri, async () => {
        await runFile(run, uri, items, list, server, token);
        return true;
      });
      if (!hasRun) for (const item of items) run.skipped(item);
    }
  } finally {
    run.end();
  }
}

async function showRun(
  controller: TestController,
  list: TestList,
  file: Uri,
  finished: readonly CellFinished[],
): Promise<void> {
  if (finished.length === 0) return;
  await list.refresh(file);
  const ended = new Map(finished.map((event) => [event.key, event]));
  const items = [...(controller.items.get(file.toString())?.children ?? [])].flatMap(([, item]) => {
    const event = ended.get(list.testOf(item)?.key ?? "");
    return event ? [{ item, event }] : [];
  });
  if (items.length === 0) return;
  const included = items.map(({ item }) => item);
  // keeps the focus: the results are in front of the person already
  const request = new TestRunRequest(included, undefined, undefined, false, true);
  const run = controller.createTestRun(request, undefined, false);
  for (const { item, event } of items) report(run, item, event);
  run.end();
}

async function runFile(
  run: TestRun,
  file: Uri,
  items: readonly TestItem[],
  list: TestList,
  server: Server,
  token: CancellationToken,
): Promise<void> {
  const runId = nextRunId();
  const open = new Map(items.map((item) => [list.testOf(item)?.key, item]));
  for (const item of items) run.started(item);
  const listener = server.on("rpcNotebook/cellFinished", (event) => {
    const item = event.runId === runId ? open.get(event.key) : undefined;
    if (item === undefined) return;
    open.delete(event.key);
    report(run, item, event);
  });
  try {
    const cells = items.flatMap((item) => list.testOf(item) ?? []).map(({ index }) => ({ index }));
    await server.request("rpcNotebook/run", { runId, uri: file.toString(), cells }, token);
  } catch {
    // Refused because of the cancellation, or there is no server any more; the client has logged which.
  } finally {
    listener.dispose();
    for (const item of open.values()) run.skipped(item);
  }
}

function report(run: TestRun, item: TestItem, { output, failures, verdict }: CellFinished): void {
  run.appendOutput(terminalText(`${output.text}\n\n`), undefined, item);
  if (verdict === "passed") run.passed(item, output.durationMs);
  else if (verdict === "skipped") run.skipped(item);
  else if (verdict === "failed") run.failed(item, failures.map(messageOf), output.durationMs);
  else {
    const message = new TestMessage(messageText(output.text, maxMessageCharacters));
    message.contextValue = failedContext;
    run.errored(item, message, output.durationMs);
  }
}

/** Marks the messages of failures in menus, where they have a button. */
const failedContext = "rpcNotebook.failed";

function messageOf({ message, expected, actual, place }: FailedCheck): TestMessage {
  const shown =
    expected === undefined || actual === undefined
      ? new TestMessage(messageText(message, maxMessageCharacters))
      : TestMessage.diff(messageText(message, maxMessageCharacters), expected, actual);
  shown.contextValue = failedContext;
  if (place) shown.location = new Location(Uri.parse(place.uri), rangeOf(place));
  return shown;
}

const maxMessageCharacters = 20_000;

function rangeOf({ start, end }: FileRange): Range {
  return new Range(start.line - 1, start.column - 1, end.line - 1, end.column - 1);
}

/** The part of VS Code's `TestItem` that a choice needs; files have no parent. */
interface TestNode<Node> {
  readonly parent: Node | undefined;
  readonly children: Iterable<readonly [id: string, child: Node]>;
}

/** Returns the tests that a request asks for, by file. Without `include` it asks for all of them. */
export function chosenTests<Node extends TestNode<Node>>(
  files: Iterable<readonly [id: string, file: Node]>,
  {
    include,
    exclude = [],
  }: { readonly include?: readonly Node[] | undefined; readonly exclude?: readonly Node[] | undefined },
): ReadonlyMap<Node, ReadonlySet<Node>> {
  const chosen = new Map<Node, Set<Node>>();
  const add = (node: Node): void => {
    if (exclude.includes(node)) return;
    if (node.parent === undefined) {
      for (const [, child] of node.children) add(child);
      return;
    }
    const siblings = chosen.get(node.parent) ?? new Set();
    chosen.set(node.parent, siblings.add(node));
  };
  for (const node of include ?? [...files].map(([, file]) => file)) add(node);
  return chosen;
}
