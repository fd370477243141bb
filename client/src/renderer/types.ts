import type { RowsParams, RowsResult } from "../../../server/src/protocol/runs.ts";
import type { CellOutput } from "../../../server/src/report/cellOutput.ts";

/** The parts of a report, by the names that the server uses. */
export type Report = CellOutput["reports"][number];
export type Section = Report["sections"][number];
export type TableSection = Extract<Section, { readonly kind: "table" }>;
export type FailureSection = Extract<Section, { readonly kind: "failure" }>;
export type Field = FailureSection["fields"][number];
export type Shown = Field["value"];

/** Requests rows that are not in the output; `undefined` if the host passes no messages. */
export type AskRows = ((params: RowsParams) => Promise<RowsResult>) | undefined;
