import { type Mask, openMask } from "../base/mask.ts";
import { openAnalysisContexts } from "../editor/analysisContexts.ts";
import { openCellQueries } from "../editor/cellQueries.ts";
import { type LanguageFeatures, maskedFeatures, openLanguageFeatures } from "../editor/languageFeatures.ts";
import { staleNotice } from "../editor/staleness.ts";
import { writingIf } from "../files/updateFile.ts";
import { openGate } from "../gate/gate.ts";
import { type Inspection, openInspection } from "../inspect/inspection.ts";
import { type LiveFeatures, openLiveFeatures } from "../live/liveFeatures.ts";
import type { GetRegistryResult, RegistryResult } from "../protocol/registry.ts";
import type { StalenessParams, StalenessResult } from "../protocol/runs.ts";
import type { Settings } from "../protocol/settings.ts";
import { type MaskedRecording, maskRecording } from "../recording/editRecording.ts";
import type { Recording } from "../recording/recording.ts";
import { Replays } from "../recording/replays.ts";
import type { RunSupport } from "../run/documentRun.ts";
import { openTokenNames } from "../run/observe/tokens.ts";
import { openAssumedState } from "../run/prepare/statePlaces.ts";
import { maskedLog } from "../run/result/maskRun.ts";
import { ResultNames } from "../run/result/resultNames.ts";
import { Results } from "../run/result/results.ts";
import { RowStore } from "../run/result/rowStore.ts";
import { StreamControls } from "../run/result/streamControls.ts";
import { RunRecordings } from "../run/runRecordings.ts";
import { openRuns, type Runs } from "../run/runs.ts";
import { type ContractLookup, openContractLookup } from "../save/contractLookup.ts";
import { openLogSink } from "../save/saveLogs.ts";
import { openSaving, type Saving } from "../save/saving.ts";
import { openContractSources } from "../workspace/contractSources.ts";
import { type DescriptorTable, openDescriptors } from "../workspace/descriptors.ts";
import { type EndpointCommands, endpointCommands } from "../workspace/endpointCommands.ts";
import type { Host, WorkspaceHost } from "../workspace/host.ts";
import { type DocumentCommands, OpenDocuments } from "../workspace/openDocuments.ts";
import { downloadRegistry, registryFacts, registrySource } from "../workspace/registry.ts";
import { openSignatures, type SignatureTable } from "../workspace/signatures.ts";
import { WorkspaceData } from "../workspace/workspaceData.ts";

/**
 * Opens documents, answers for them and runs them. URIs name text documents, notebooks and cell documents alike;
 * offsets and spans count UTF-16 code units from the start of the document named.
 */
export interface Service
  extends DocumentCommands,
    LanguageFeatures,
    LiveFeatures,
    Runs,
    Saving,
    ContractLookup,
    ReturnType<typeof openContractSources>,
    Inspection,
    EndpointCommands {
  /** Resolves when the files beside the document have been read. */
  settled(uri: string): Promise<void>;
  /** Reads also what is otherwise read at need, so that it is known which files answers of the document depend on. */
  readInputs(uri: string): Promise<void>;
  /**
   * Waits for the endpoints of a newly opened document, one second at most.
   *
   * @returns Whether they were read in time; `undefined` if they were read before.
   */
  opening(uri: string): Promise<boolean> | undefined;
  /** Returns a notice if the result under a cell is stale. */
  staleness(params: StalenessParams): NonNullable<StalenessResult> | undefined;
  /** Whether a download of the registry may help at a place: a call there has no words, and there is no copy yet. */
  offersRegistry(uri: string, offset: number): Promise<boolean>;
  /** What a download of the ERC-7730 registry would be; `null` where it is not possible. */
  registry(): Promise<RegistryResult>;
  /** Downloads it. A person must have agreed. */
  getRegistry(signal: AbortSignal): Promise<GetRegistryResult>;
  /** Hides values of the host in a text that leaves the server. */
  hidden(text: string): string;
  /** Hides them in a recording that is about to be written. */
  masked(recording: Recording): MaskedRecording;
  trust(): void;
  /** @param roots - URIs of the workspace folders from now on. */
  setRoots(roots: readonly string[]): void;
  configure(settings: Settings): void;
  /** Ends what goes on beside requests: watches, and lookups after runs. */
  stop(): void;
}

/** Creates a service. Its state is the open documents and their last results. */
export function createService(ports: Host): Service {
  const mask = openMask();
  const replays = new Replays(ports.clock, mask, ports.files);
  const { transport: _transport, sockets: _sockets, ...surroundings } = ports; // only the gate keeps them
  const gate = openGate(ports, replays);
  const host: WorkspaceHost = { ...surroundings, gate, log: maskedLog(ports.log, mask) };
  const signatures = openSignatures(host);
  const workspaceData = new WorkspaceData(host, mask, signatures, replays);
  const descriptors = openDescriptors(workspaceData.descriptors);
  const { routes } = workspaceData;
  const support = runSupport(host, mask, workspaceData, signatures, descriptors);
  const contexts = openAnalysisContexts(workspaceData, support.results, support.assumedState);
  const documents = new OpenDocuments(host.files, {
    changed: (document) => workspaceData.follow(document),
    closed(uri) {
      support.resultNames?.forget(uri);
      for (const state of [contexts, workspaceData, support.rowStore, support.recordings, hints]) state.forget(uri);
    },
  });
  const shared = { documents, contexts, queries: openCellQueries(documents, contexts) };
  const { hintOf, hints, ...live } = openLiveFeatures({ ...shared, host, support });
  const language = openLanguageFeatures({ ...shared, workspace: workspaceData, signatures, hintOf });
  return {
    ...documents.commands(),
    ...language,
    ...maskedFeatures(language, mask),
    ...live,
    ...openRuns(documents, support, ({ uri }) => hints.wake(uri)),
    ...openSaving(documents, support),
    ...openContractLookup(documents, support, host),
    ...openContractSources(documents, support, host),
    ...openInspection(documents, support),
    ...endpointCommands(documents, routes, host),
    ...registryCommands(host, workspaceData, live),
    ...inputsOf(documents, workspaceData),
    staleness: (params) => staleNotice(params, documents, contexts, support.results),
    hidden: mask.text,
    masked: (recording) => maskRecording(recording, mask),
    trust: () => workspaceData.trust([...documents.all()]),
    setRoots: (roots) => workspaceData.setRoots(roots, [...documents.all()]),
    configure(settings) {
      hints.configure(settings);
      workspaceData.configure(settings, [...documents.all()]);
    },
    stop() {
      live.showWatches(false);
      support.resultNames?.stop();
    },
  };
}

/** Reads what is beside the documents. */
function inputsOf(documents: OpenDocuments, workspaceData: WorkspaceData) {
  const settled = (uri: string): Promise<void> => workspaceData.settled(documents.ownerOf(uri));
  return {
    settled,
    async readInputs(uri: string): Promise<void> {
      const document = documents.of(uri);
      if (document) workspaceData.contracts.want(document);
      await settled(uri);
      if (document) await workspaceData.descriptors.of(document);
    },
    opening: (uri: string) => workspaceData.opening(documents.ownerOf(uri)),
  };
}

/** Offers the registry of descriptors, and downloads it where that is possible. */
function registryCommands(
  { downloads, cache, clock }: WorkspaceHost,
  { descriptors }: WorkspaceData,
  { lacksWords }: LiveFeatures,
) {
  const registry = async (): Promise<RegistryResult> =>
    downloads && cache ? registryFacts(registrySource, cache, clock.date()) : null;
  return {
    registry,
    offersRegistry: async (uri: string, offset: number): Promise<boolean> =>
      downloads !== undefined &&
      cache !== undefined &&
      (await lacksWords(uri, offset)) &&
      (await registry())?.have === undefined,
    async getRegistry(signal: AbortSignal): Promise<GetRegistryResult> {
      if (!downloads || !cache) return { problem: "Here nothing can be downloaded." };
      const result = await downloadRegistry(registrySource, downloads, cache, signal);
      descriptors.forgetTables();
      return result;
    },
  };
}

function runSupport(
  host: WorkspaceHost,
  mask: Mask,
  workspaceData: WorkspaceData,
  signatures: SignatureTable,
  descriptors: DescriptorTable,
): RunSupport {
  const { routes, catalogs, contracts, knownContracts, labelFiles } = workspaceData;
  const { clock, version, openTracer, traceKeys } = host;
  const support: RunSupport = {
    routes,
    catalogs,
    contracts,
    labelFiles,
    clock,
    get roots() {
      return host.roots; // they change
    },
    version,
    openTracer,
    traceKeys,
    mask,
    signatures,
    descriptors,
    recordings: new RunRecordings(host, mask),
    files: writingIf(() => host.trusted, host.files),
    results: new Results(),
    rowStore: new RowStore(clock),
    streamControls: new StreamControls(),
    tokenNames: openTokenNames(clock, mask),
    knownContracts,
    assumedState: openAssumedState(clock),
    saveLogs: (cell) => openLogSink(cell, support),
    get resultNames() {
      return names;
    },
  };
  const names = host.redrawn && new ResultNames(host.redrawn, host, support);
  return support;
}
