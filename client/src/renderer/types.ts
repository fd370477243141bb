import type { RowsParams, RowsResult } from "../../../server/src/protocol/runs.ts";
import type { CellOutput } from "../../../server/src/report/cellOutput.ts";

/** The parts of what the kernel hands over, under the names that the server has for them. */
export type Report = CellOutput["reports"][number];
export type Section = Report["sections"][number];
export type TableSection = Extract<Section, { readonly kind: "table" }>;
export type FailureSection = Extract<Section, { readonly kind: "failure" }>;
export type Field = FailureSection["fields"][number];
export type Shown = Field["value"];

/** Asks for rows that an output leaves out; `undefined` where this host passes no messages. */
export type AskRows = ((params: RowsParams) => Promise<RowsResult>) | undefined;
