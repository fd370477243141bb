import { brief } from "../base/text.ts";
import { exportTargets } from "../convert/exportCells.ts";
import { descriptorPaths } from "../features/descriptorPaths.ts";
import type { LabelParams, LabelResult } from "../protocol/background.ts";
import type { CellOutput } from "../report/report.ts";
import { toWorkspaceEdit } from "./locations.ts";
import { sendable } from "./messages.ts";
import { onNotification, onRequest, type Session } from "./session.ts";

/** Answers our own requests, and hears our own notifications, except those of runs and settings. */
export function answerOwnRequests(session: Session): void {
  answerEndpoints(session);
  answerBackground(session);
  answerConversion(session);
}

function answerEndpoints(session: Session): void {
  const { service } = session;
  const none = { endpoints: [], configured: false };
  onRequest(session, "rpcNotebook/endpoints", none, ({ uri }) => service.endpoints(uri));
  onRequest(session, "rpcNotebook/checkAddress", { fault: "This address cannot be read." }, (params) =>
    service.checkAddress(params),
  );
  onRequest(session, "rpcNotebook/addEndpoint", null, (params) => service.addEndpoint(params));
  onRequest(session, "rpcNotebook/localPort", { state: "unknown" }, (params, signal) =>
    service.localPort(params, signal),
  );
  onRequest(session, "rpcNotebook/probe", null, async ({ uri, endpoint }, signal) =>
    sentOutput(await service.probe(uri, endpoint, signal)),
  );
  onRequest(session, "rpcNotebook/audit", null, async ({ uri, ...options }, signal) =>
    sentOutput(await service.audit(uri, options, signal)),
  );
  onRequest(session, "rpcNotebook/storageContracts", { contracts: [], addresses: [] }, ({ uri }) =>
    service.storageContracts(uri),
  );
  onRequest(session, "rpcNotebook/contractStorage", null, async (params, signal) =>
    sentOutput(await service.contractStorage(params, signal)),
  );
}

function sentOutput(output: CellOutput | undefined): CellOutput | null {
  return output ? sendable(output) : null;
}

function answerBackground(session: Session): void {
  const { service } = session;
  onRequest(session, "rpcNotebook/address", null, (params, signal) => service.addressHover(params, signal));
  onRequest(session, "rpcNotebook/watch", { refused: "This cannot be watched." }, (params) => service.watch(params));
  onRequest(session, "rpcNotebook/registry", null, () => service.registry());
  onRequest(session, "rpcNotebook/getRegistry", {}, (_, signal) => service.getRegistry(signal));
  const notLookedUp = { refused: "This cannot be looked up." };
  onRequest(session, "rpcNotebook/lookup", notLookedUp, (params) => service.lookup(params));
  onRequest(session, "rpcNotebook/addContract", notLookedUp, (params, signal) =>
    service.addAskedContract(params, signal),
  );
  onRequest(session, "rpcNotebook/openSource", notLookedUp, (params, signal) => service.openSource(params, signal));
  session.connection.workspace.textDocumentContent.on(
    session.guard("sources", null, async ({ uri }) => ({ text: await service.sourceText(uri) })),
  );
  onRequest(session, "rpcNotebook/lookUpNames", {}, ({ uri }, signal) => service.lookUpNames(uri, signal));
  onRequest(session, "rpcNotebook/saveContracts", { note: "Nothing was saved.", files: [] }, ({ uri }) =>
    service.saveContracts(uri),
  );
  onRequest(session, "rpcNotebook/descriptorPaths", null, ({ text, offset }) => descriptorPaths(text, offset));
  onRequest(session, "rpcNotebook/label", { refused: "This cannot be named." }, (params) => label(session, params));
  onNotification(session, "rpcNotebook/unwatch", ({ id }) => service.unwatch(id));
  onNotification(session, "rpcNotebook/showWatches", ({ visible }) => service.showWatches(visible));
}

async function label(session: Session, params: LabelParams): Promise<LabelResult> {
  const label = session.service.label(params);
  if (!("edits" in label)) return label;
  const { applied } = await session.connection.workspace.applyEdit({
    label: `Name ${brief(params.name.trim(), 40)}`,
    edit: toWorkspaceEdit(session, label.edits),
  });
  return applied ? { notebook: label.notebook } : { refused: "The editor did not apply the edit." };
}

function answerConversion(session: Session): void {
  const { service } = session;
  onRequest(session, "rpcNotebook/wireForm", null, async ({ uri, index, offset }) => {
    await service.readInputs(uri);
    const at = index ?? service.cellAt(uri, offset ?? 0);
    return (at === undefined ? undefined : service.wireForm(uri, at)) ?? null;
  });
  onRequest(session, "rpcNotebook/export", null, async ({ uri, index, offset, all, ...target }) => {
    const at = all ? undefined : (index ?? service.cellAt(uri, offset ?? 0));
    if (!all && at === undefined) return null;
    return (await service.exported(uri, at, target)) ?? null;
  });
  onRequest(session, "rpcNotebook/exportTargets", { targets: [] }, (host) => ({ targets: exportTargets(host) }));
  onRequest(session, "rpcNotebook/exportPage", null, async (params) => ({ text: await service.page(params) }));
  onRequest(session, "rpcNotebook/import", { cells: [], notes: [] }, ({ uri, text }) => service.pasted(uri, text));
  onRequest(session, "rpcNotebook/explain", { readings: [] }, async ({ uri, text }) => service.explained(uri, text));
  onRequest(session, "rpcNotebook/templates", { templates: [] }, async ({ uri }) => {
    await service.opening(uri);
    return service.templates(uri);
  });
}
