import type {
  ApproveHostParams,
  ApproveHostResult,
  CellFinished,
  CellStarted,
  EndpointsParams,
  EndpointsResult,
  PickEndpoint,
  ReadFileParams,
  ReadFileResult,
  ReadFolderParams,
  ReadFolderResult,
  RowsParams,
  RowsResult,
  RunParams,
  RunResult,
  WireFormParams,
  WireFormResult,
} from "../../server/src/protocol.ts";

/** Our own requests to the server: parameters and result by method. */
export interface Requests {
  "rpcNotebook/run": [RunParams, RunResult];
  "rpcNotebook/rows": [RowsParams, RowsResult];
  "rpcNotebook/endpoints": [EndpointsParams, EndpointsResult];
  "rpcNotebook/wireForm": [WireFormParams, WireFormResult];
}

/** Our own notifications to the server. */
export interface Notifications {
  "rpcNotebook/pickEndpoint": PickEndpoint;
  "rpcNotebook/trusted": undefined;
}

/** What the server tells while a run goes on. */
export interface Events {
  "rpcNotebook/cellStarted": CellStarted;
  "rpcNotebook/cellFinished": CellFinished;
}

/** What the server asks of the editor. */
export interface Answers {
  approveHost(question: ApproveHostParams): Promise<ApproveHostResult>;
  readFile(params: ReadFileParams): Promise<ReadFileResult>;
  readFolder(params: ReadFolderParams): Promise<ReadFolderResult>;
}
