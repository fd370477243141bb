import {
  type CancellationToken,
  type ExecuteCommandParams,
  MessageType,
  type WorkDoneProgressReporter,
} from "vscode-languageserver";
import { brief } from "../base/text.ts";
import type { EndpointChoice } from "../protocol/endpoints.ts";
import type { OpenSourceParams } from "../protocol/lookup.ts";
import type { RunParams, RunResult } from "../protocol/runs.ts";
import { commands } from "./commandNames.ts";
import { signalOf } from "./guard.ts";
import { ask, sendable, showMessage } from "./messages.ts";
import type { Runs } from "./runs.ts";
import type { Session } from "./session.ts";

/** Executes commands for editors that do not know our own requests. */
export function answerExecuteCommand(session: Session, runs: Runs): void {
  const { connection, guard } = session;
  connection.onExecuteCommand(
    guard<[ExecuteCommandParams, CancellationToken], unknown>("command", null, ({ workDoneToken, ...params }, token) =>
      execute(params, {
        session,
        runs,
        signal: signalOf(token),
        progress: connection.window.attachWorkDoneProgress(workDoneToken),
      }),
    ),
  );
}

interface CommandContext {
  readonly session: Session;
  readonly runs: Runs;
  readonly signal: AbortSignal;
  readonly progress: WorkDoneProgressReporter;
}

/** @returns `null` for commands that are not ours and arguments of another shape. */
async function execute(
  { command, arguments: [uri, index] = [] }: ExecuteCommandParams,
  context: CommandContext,
): Promise<unknown> {
  if (typeof uri !== "string") return null;
  if (typeof index === "string") return ofAddress(command, { uri, address: index }, context);
  const cell = Number.isInteger(index) && index >= 0 ? Number(index) : undefined;
  switch (command) {
    case commands.run:
      return runAndShow(paramsFor(context, uri, cell === undefined ? undefined : [cell]), context);
    case commands.runAbove: {
      const upTo = cell === undefined ? undefined : Array.from({ length: cell + 1 }, (_, ordinal) => ordinal);
      return upTo ? runAndShow(paramsFor(context, uri, upTo), context) : null;
    }
    case commands.trace:
      return cell === undefined ? null : runAndShow({ ...paramsFor(context, uri, [cell]), trace: true }, context);
    case commands.wireForm:
      return cell === undefined ? null : showWireForm(context, uri, cell);
    case commands.updateSnapshots:
      return updateSnapshots(paramsFor(context, uri, cell === undefined ? undefined : [cell]), context);
    case commands.probe:
      return probe(context, uri);
    case commands.pickEndpoint:
      return pickEndpoint(context.session, uri);
    default:
      return null;
  }
}

/** Executes a command about the contract at an address. */
async function ofAddress(
  command: string,
  params: OpenSourceParams,
  { session: { connection, service, client }, signal }: CommandContext,
): Promise<unknown> {
  const refuse = (refused: string): null => {
    showMessage(connection, MessageType.Warning, refused);
    return null;
  };
  if (command === commands.openSource) {
    const found = await service.openSource(params, signal);
    if ("refused" in found) return refuse(found.refused);
    const [first] = found.files;
    if (first && client.showsDocuments) void connection.window.showDocument({ uri: first.uri, takeFocus: true });
    return found;
  }
  if (command !== commands.lookUpContract) return null;
  const asked = await service.lookup(params);
  if ("refused" in asked) return refuse(asked.refused);
  const { question, detail, yes, no } = asked.words;
  const chosen = await ask(connection, "warning", [question, ...detail].join(" "), ...yes, no);
  if (chosen === undefined || !yes.includes(chosen)) return null;
  const added = await service.addAskedContract(params, signal);
  if ("refused" in added) return refuse(added.refused);
  const type = added.notes.length > 0 ? MessageType.Warning : MessageType.Info;
  showMessage(connection, type, [added.text, ...added.notes].join(" "));
  return added;
}

function paramsFor(
  { session: { documents } }: CommandContext,
  uri: string,
  indices: readonly number[] | undefined,
): RunParams {
  const runId = `command:${uri}`;
  return {
    runId,
    uri: documents.notebookOf(uri) ?? uri,
    ...(indices && { cells: indices.map((index) => ({ index })) }),
  };
}

/** Shows results in a message: an editor that runs cells by a command has no other place for them. */
async function runAndShow(params: RunParams, { session, runs, signal, progress }: CommandContext): Promise<RunResult> {
  const texts: string[] = [];
  const result = await runs.run(params, signal, progress, ({ text }) => texts.push(text));
  if (texts.length > 0) showMessage(session.connection, MessageType.Info, texts.join("\n\n"));
  return result;
}

async function showWireForm(
  { session: { service, connection } }: CommandContext,
  uri: string,
  cell: number,
): Promise<unknown> {
  await service.readInputs(uri);
  const form = service.wireForm(uri, cell);
  if (!form) return null;
  if ("text" in form) showMessage(connection, MessageType.Info, form.text);
  else showMessage(connection, MessageType.Warning, form.unsent);
  return form;
}

async function updateSnapshots(
  params: RunParams,
  { session: { connection }, runs, signal, progress }: CommandContext,
): Promise<RunResult> {
  const result = await runs.run({ ...params, snapshot: "update" }, signal, progress, () => {});
  const { notes = [], fault } = result.snapshot ?? {};
  showMessage(connection, fault === undefined ? MessageType.Info : MessageType.Warning, fault ?? notes.join(" "));
  return result;
}

async function probe({ session, signal }: CommandContext, uri: string): Promise<unknown> {
  const output = await session.service.probe(session.documents.notebookOf(uri) ?? uri, undefined, signal);
  if (!output) return null;
  showMessage(session.connection, output.ok ? MessageType.Info : MessageType.Warning, output.text);
  return sendable(output);
}

/** @returns The name that the person picks; `null` if they dismiss the question. */
async function pickEndpoint({ connection, service, documents }: Session, uri: string): Promise<string | null> {
  const document = documents.notebookOf(uri) ?? uri;
  const { endpoints, current } = await service.endpoints(document);
  const byTitle = new Map(endpoints.map((choice) => [titleOf(choice), choice.name]));
  const now = current ? `Requests go to ${titleOf(current)} now.` : "No endpoint is chosen.";
  const answer = await ask(connection, "information", `${now} Where should they go?`, ...byTitle.keys());
  const name = answer && byTitle.get(answer);
  if (name === undefined) return null;
  service.pickEndpoint(document, name);
  return name;
}

function titleOf({ name, host }: EndpointChoice): string {
  return `${brief(name, 60)} (${host})`;
}
