import {
  type CancellationToken,
  type ExecuteCommandParams,
  MessageType,
  type WorkDoneProgressParams,
  type WorkDoneProgressReporter,
} from "vscode-languageserver";
import { brief } from "../base/text.ts";
import { pasted } from "../editor/pastedRequests.ts";
import { judgeAddress } from "../endpoints/addEndpoint.ts";
import type {
  AddressParams,
  AddressResult,
  LabelParams,
  LabelResult,
  ShowWatches,
  Unwatch,
  WatchParams,
  WatchResult,
} from "../protocol/background.ts";
import type {
  ExportParams,
  ExportResult,
  ImportParams,
  ImportResult,
  WireFormParams,
  WireFormResult,
} from "../protocol/conversion.ts";
import type {
  AddEndpointParams,
  AddEndpointResult,
  AuditParams,
  CompareParams,
  CompareResult,
  EndpointChoice,
  EndpointsParams,
  EndpointsResult,
  JudgeAddressParams,
  JudgeAddressResult,
  ProbeParams,
  ProbeResult,
} from "../protocol/endpoints.ts";
import type {
  RowsParams,
  RowsResult,
  RunParams,
  RunResult,
  StalenessParams,
  StalenessResult,
  StreamControl,
  TestsParams,
  TestsResult,
} from "../protocol/runs.ts";
import { commands } from "./commandNames.ts";
import { toWorkspaceEdit } from "./edits.ts";
import { signalOf } from "./guard.ts";
import { ask, tell } from "./messages.ts";
import { type Runs, sendable } from "./runs.ts";
import type { Session } from "./session.ts";

/** Our own requests, and commands that do the same for editors that know nothing of them. */
export function answerCommands(session: Session, runs: Runs): void {
  const { connection, service, guard } = session;
  const notRun: RunResult = { ok: 0, failed: 0, cancelled: false };
  const none: EndpointsResult = { endpoints: [], configured: false };
  connection.onRequest(
    "rpcNotebook/run",
    guard("run", notRun, (params: RunParams & WorkDoneProgressParams, token: CancellationToken) => {
      const { workDoneToken, ...rest } = params;
      return runs.run(rest, signalOf(token), connection.window.attachWorkDoneProgress(workDoneToken), "editor");
    }),
  );
  connection.onNotification(
    "rpcNotebook/stream",
    guard("stream", undefined, (control: StreamControl) => service.stream(control)),
  );
  connection.onRequest<TestsResult, void>(
    "rpcNotebook/tests",
    guard("tests", { tests: [] }, async ({ uri }: TestsParams) => ({ tests: await service.tests(uri) })),
  );
  connection.onRequest<RowsResult, void>(
    "rpcNotebook/rows",
    guard("rows", null, (params: RowsParams, token: CancellationToken) => service.rows(params, signalOf(token))),
  );
  connection.onRequest<StalenessResult, void>(
    "rpcNotebook/staleness",
    guard("staleness", null, ({ uri }: StalenessParams): StalenessResult => service.staleness(uri) ?? null),
  );
  connection.onRequest(
    "rpcNotebook/endpoints",
    guard("endpoints", none, ({ uri }: EndpointsParams) => service.endpoints(uri)),
  );
  connection.onRequest<JudgeAddressResult, void>(
    "rpcNotebook/judgeAddress",
    guard<[JudgeAddressParams], JudgeAddressResult>("address", { fault: "This address cannot be read." }, ({ text }) =>
      judgeAddress(text),
    ),
  );
  connection.onRequest<AddEndpointResult | null, void>(
    "rpcNotebook/addEndpoint",
    guard("add endpoint", null, (params: AddEndpointParams) => service.addEndpoint(params)),
  );
  connection.onRequest<ProbeResult, void>(
    "rpcNotebook/probe",
    guard("probe", null, async ({ uri, endpoint }: ProbeParams, token: CancellationToken): Promise<ProbeResult> => {
      const output = await service.probe(uri, endpoint, signalOf(token));
      return output ? sendable(output) : null;
    }),
  );
  connection.onRequest<ProbeResult, void>(
    "rpcNotebook/audit",
    guard("audit", null, async ({ uri, ...options }: AuditParams, token: CancellationToken): Promise<ProbeResult> => {
      const output = await service.audit(uri, options, signalOf(token));
      return output ? sendable(output) : null;
    }),
  );
  connection.onRequest<CompareResult, void>(
    "rpcNotebook/compare",
    guard("compare", null, async (params: CompareParams, token: CancellationToken): Promise<CompareResult> => {
      const output = await service.compare(params, signalOf(token));
      return output ? sendable(output) : null;
    }),
  );
  connection.onRequest<AddressResult, void>(
    "rpcNotebook/address",
    guard("address", null, (params: AddressParams, token: CancellationToken) =>
      service.addressHover(params, signalOf(token)),
    ),
  );
  connection.onRequest<WatchResult, void>(
    "rpcNotebook/watch",
    guard<[WatchParams], WatchResult>("watch", { refused: "That cannot be watched." }, (params) =>
      service.watch(params),
    ),
  );
  connection.onRequest<LabelResult, void>(
    "rpcNotebook/label",
    guard<[LabelParams], LabelResult>("label", { refused: "That cannot be named." }, async (params) => {
      const made = service.label(params);
      if ("refused" in made) return made;
      const { applied } = await connection.workspace.applyEdit({
        label: `Name ${brief(params.name.trim(), 40)}`,
        edit: toWorkspaceEdit(session, made.edits),
      });
      return applied ? { notebook: made.notebook } : { refused: "The editor did not take the change." };
    }),
  );
  connection.onNotification(
    "rpcNotebook/unwatch",
    guard<[Unwatch], void>("unwatch", undefined, ({ id }) => service.unwatch(id)),
  );
  connection.onNotification(
    "rpcNotebook/showWatches",
    guard<[ShowWatches], void>("watches", undefined, ({ visible }) => service.showWatches(visible)),
  );
  connection.onRequest<WireFormResult, void>(
    "rpcNotebook/wireForm",
    guard("wire form", null, ({ uri, index, offset }: WireFormParams): WireFormResult => {
      const at = index ?? service.cellAt(uri, offset ?? 0);
      return (at === undefined ? undefined : service.wireForm(uri, at)) ?? null;
    }),
  );
  connection.onRequest<ExportResult | null, void>(
    "rpcNotebook/export",
    guard("export", null, async ({ uri, index, offset, all, to }: ExportParams) => {
      const at = all ? undefined : (index ?? service.cellAt(uri, offset ?? 0));
      if (!all && at === undefined) return null;
      return (await service.exported(uri, at, to)) ?? null;
    }),
  );
  connection.onRequest<ImportResult, void>(
    "rpcNotebook/import",
    guard("import", { cells: [], notes: [] }, ({ text }: ImportParams) => pasted(text)),
  );
  connection.onExecuteCommand(
    guard<[ExecuteCommandParams, CancellationToken], unknown>(
      "command",
      null,
      ({ workDoneToken, ...params }, token) => {
        const progress = connection.window.attachWorkDoneProgress(workDoneToken);
        return execute(session, runs, params, signalOf(token), progress);
      },
    ),
  );
  connection.onShutdown(() => {
    runs.stop();
    service.showWatches(false);
  });
}

/** @returns `null` for commands that are not ours and arguments of another shape. */
async function execute(
  session: Session,
  runs: Runs,
  { command, arguments: [uri, index] = [] }: ExecuteCommandParams,
  signal: AbortSignal,
  progress: WorkDoneProgressReporter,
): Promise<unknown> {
  if (typeof uri !== "string") return null;
  const cell = Number.isInteger(index) && index >= 0 ? Number(index) : undefined;
  switch (command) {
    case commands.run:
      return runAndTell(
        session,
        runs,
        paramsFor(session, uri, cell === undefined ? undefined : [cell]),
        signal,
        progress,
      );
    case commands.runAbove: {
      const upTo = cell === undefined ? undefined : Array.from({ length: cell + 1 }, (_, ordinal) => ordinal);
      return upTo ? runAndTell(session, runs, paramsFor(session, uri, upTo), signal, progress) : null;
    }
    case commands.wireForm: {
      const form = cell === undefined ? undefined : session.service.wireForm(uri, cell);
      if (!form) return null;
      if ("text" in form) tell(session.connection, MessageType.Info, form.text);
      else tell(session.connection, MessageType.Warning, form.unsent);
      return form;
    }
    case commands.updateSnapshots: {
      const params = paramsFor(session, uri, cell === undefined ? undefined : [cell]);
      const result = await runs.run({ ...params, snapshot: "update" }, signal, progress, () => {});
      const { notes = [], fault } = result.snapshot ?? {};
      tell(session.connection, fault === undefined ? MessageType.Info : MessageType.Warning, fault ?? notes.join(" "));
      return result;
    }
    case commands.probe: {
      const output = await session.service.probe(session.notebookOf(uri) ?? uri, undefined, signal);
      if (output) tell(session.connection, output.ok ? MessageType.Info : MessageType.Warning, output.text);
      return output ? sendable(output) : null;
    }
    case commands.pickEndpoint:
      return pickEndpoint(session, uri);
    default:
      return null;
  }
}

function paramsFor({ notebookOf }: Session, uri: string, indices: readonly number[] | undefined): RunParams {
  const runId = `command:${uri}`;
  return { runId, uri: notebookOf(uri) ?? uri, ...(indices && { cells: indices.map((index) => ({ index })) }) };
}

/** An editor that has no place of its own for results still shows messages. */
async function runAndTell(
  session: Session,
  runs: Runs,
  params: RunParams,
  signal: AbortSignal,
  progress: WorkDoneProgressReporter,
): Promise<RunResult> {
  const shown: string[] = [];
  const result = await runs.run(params, signal, progress, ({ text }) => shown.push(text));
  if (shown.length > 0) tell(session.connection, MessageType.Info, shown.join("\n\n"));
  return result;
}

/** @returns The name that was picked; `null` where nobody picked one. */
async function pickEndpoint({ connection, service, notebookOf }: Session, uri: string): Promise<string | null> {
  const document = notebookOf(uri) ?? uri;
  const { endpoints, current } = await service.endpoints(document);
  const byTitle = new Map(endpoints.map((choice) => [titleOf(choice), choice.name]));
  const now = current ? `Requests go to ${titleOf(current)} now.` : "No endpoint is chosen.";
  const answer = await ask(connection, "information", `${now} Which one from now on?`, ...byTitle.keys());
  const name = answer && byTitle.get(answer);
  if (name === undefined) return null;
  service.pickEndpoint(document, name);
  return name;
}

function titleOf({ name, host }: EndpointChoice): string {
  return `${brief(name, 60)} (${host})`;
}
