import type {
  AddressParams,
  AddressResult,
  LabelParams,
  LabelResult,
  ShowWatches,
  Unwatch,
  WatchesChanged,
  WatchParams,
  WatchResult,
} from "./background.ts";
import type {
  ExplainParams,
  ExplainResult,
  ExportPageParams,
  ExportPageResult,
  ExportParams,
  ExportResult,
  ExportTargetsParams,
  ExportTargetsResult,
  ImportParams,
  ImportResult,
  TemplatesParams,
  TemplatesResult,
  WireFormParams,
  WireFormResult,
} from "./conversion.ts";
import type {
  AddEndpointParams,
  AddEndpointResult,
  AuditParams,
  CheckAddressParams,
  CheckAddressResult,
  CompareParams,
  CompareResult,
  ContractStorageParams,
  EndpointsParams,
  EndpointsResult,
  FindWhenParams,
  FindWhenResult,
  LocalPortParams,
  LocalPortResult,
  PickEndpoint,
  ProbeParams,
  ProbeResult,
  StorageContractsParams,
  StorageContractsResult,
} from "./endpoints.ts";
import type {
  ApproveCostParams,
  ApproveCostResult,
  ApproveHostParams,
  ApproveHostResult,
  ApproveLookupParams,
  ApproveLookupResult,
  ApproveMethodsParams,
  ApproveMethodsResult,
  ApproveWritesParams,
  ApproveWritesResult,
  ReadFileParams,
  ReadFileResult,
  ReadFolderParams,
  ReadFolderResult,
  ReadSecretsParams,
  ReadSecretsResult,
  SecretNamesResult,
  WriteFileParams,
  WriteFileResult,
} from "./host.ts";
import type {
  AddContractParams,
  AddContractResult,
  LookUpNamesParams,
  LookUpNamesResult,
  LookupParams,
  LookupResult,
  OpenSourceParams,
  OpenSourceResult,
  SaveContractsParams,
  SaveContractsResult,
} from "./lookup.ts";
import type { DescriptorPathsParams, DescriptorPathsResult, GetRegistryResult, RegistryResult } from "./registry.ts";
import type {
  BugReportParams,
  BugReportResult,
  CellFinished,
  CellRedrawn,
  CellStarted,
  CellWaiting,
  RowsParams,
  RowsResult,
  RunParams,
  RunResult,
  SaveBugReportParams,
  SaveProfileParams,
  SaveRecordingParams,
  SaveRecordingResult,
  SaveRowsParams,
  StalenessParams,
  StalenessResult,
  StreamControl,
  StreamRows,
  TestsParams,
  TestsResult,
} from "./runs.ts";

/** Requests to the server: parameters and result by method. */
export interface Requests {
  "rpcNotebook/run": [RunParams, RunResult];
  "rpcNotebook/saveRecording": [SaveRecordingParams, SaveRecordingResult];
  "rpcNotebook/bugReport": [BugReportParams, BugReportResult];
  "rpcNotebook/saveBugReport": [SaveBugReportParams, SaveRecordingResult];
  "rpcNotebook/tests": [TestsParams, TestsResult];
  "rpcNotebook/address": [AddressParams, AddressResult];
  "rpcNotebook/probe": [ProbeParams, ProbeResult];
  "rpcNotebook/audit": [AuditParams, ProbeResult];
  "rpcNotebook/storageContracts": [StorageContractsParams, StorageContractsResult];
  "rpcNotebook/contractStorage": [ContractStorageParams, ProbeResult];
  "rpcNotebook/compare": [CompareParams, CompareResult];
  "rpcNotebook/findWhen": [FindWhenParams, FindWhenResult];
  "rpcNotebook/label": [LabelParams, LabelResult];
  "rpcNotebook/registry": [undefined, RegistryResult];
  "rpcNotebook/getRegistry": [undefined, GetRegistryResult];
  "rpcNotebook/lookup": [LookupParams, LookupResult];
  "rpcNotebook/addContract": [AddContractParams, AddContractResult];
  "rpcNotebook/openSource": [OpenSourceParams, OpenSourceResult];
  "rpcNotebook/lookUpNames": [LookUpNamesParams, LookUpNamesResult];
  "rpcNotebook/saveContracts": [SaveContractsParams, SaveContractsResult];
  "rpcNotebook/descriptorPaths": [DescriptorPathsParams, DescriptorPathsResult];
  "rpcNotebook/watch": [WatchParams, WatchResult];
  "rpcNotebook/staleness": [StalenessParams, StalenessResult];
  "rpcNotebook/rows": [RowsParams, RowsResult];
  "rpcNotebook/saveRows": [SaveRowsParams, SaveRecordingResult];
  "rpcNotebook/saveProfile": [SaveProfileParams, SaveRecordingResult];
  "rpcNotebook/endpoints": [EndpointsParams, EndpointsResult];
  "rpcNotebook/checkAddress": [CheckAddressParams, CheckAddressResult];
  "rpcNotebook/localPort": [LocalPortParams, LocalPortResult];
  "rpcNotebook/addEndpoint": [AddEndpointParams, AddEndpointResult | null];
  "rpcNotebook/export": [ExportParams, ExportResult | null];
  "rpcNotebook/exportTargets": [ExportTargetsParams, ExportTargetsResult];
  "rpcNotebook/exportPage": [ExportPageParams, ExportPageResult];
  "rpcNotebook/import": [ImportParams, ImportResult];
  "rpcNotebook/explain": [ExplainParams, ExplainResult];
  "rpcNotebook/templates": [TemplatesParams, TemplatesResult];
  "rpcNotebook/wireForm": [WireFormParams, WireFormResult];
}

/** Notifications to the server. */
export interface ClientNotifications {
  "rpcNotebook/pickEndpoint": PickEndpoint;
  "rpcNotebook/stream": StreamControl;
  "rpcNotebook/unwatch": Unwatch;
  "rpcNotebook/showWatches": ShowWatches;
  /** The workspace has become trusted. */
  "rpcNotebook/trusted": undefined;
  /** A secret was set or deleted. */
  "rpcNotebook/secretsChanged": undefined;
}

/** Notifications of the server. */
export interface ServerNotifications {
  "rpcNotebook/cellStarted": CellStarted;
  "rpcNotebook/cellWaiting": CellWaiting;
  "rpcNotebook/streamRows": StreamRows;
  "rpcNotebook/cellFinished": CellFinished;
  "rpcNotebook/cellRedrawn": CellRedrawn;
  "rpcNotebook/watchesChanged": WatchesChanged;
}

/** Requests of the server to the editor. */
export interface EditorRequests {
  approveHost(question: ApproveHostParams): Promise<ApproveHostResult>;
  approveWrites(question: ApproveWritesParams): Promise<ApproveWritesResult>;
  approveCost(question: ApproveCostParams): Promise<ApproveCostResult>;
  approveLookup(question: ApproveLookupParams): Promise<ApproveLookupResult>;
  approveMethods(question: ApproveMethodsParams): Promise<ApproveMethodsResult>;
  readFile(params: ReadFileParams): Promise<ReadFileResult>;
  readFolder(params: ReadFolderParams): Promise<ReadFolderResult>;
  writeFile(params: WriteFileParams): Promise<WriteFileResult>;
  secretNames(): SecretNamesResult;
  readSecrets(params: ReadSecretsParams): Promise<ReadSecretsResult>;
}
