import type { ResultAction, RowsParams, RowsResult, RowsToSave } from "../../../server/src/protocol/runs.ts";
import type { CellOutput } from "../../../server/src/report/report.ts";

export type { RowsToSave };

/** The parts of a report, by the names that the server uses. */
export type Report = CellOutput["reports"][number];
export type Section = Report["sections"][number];
export type TableSection = Extract<Section, { readonly kind: "table" }>;
export type Column = TableSection["columns"][number];
export type FailureSection = Extract<Section, { readonly kind: "failure" }>;
export type FlowSection = Extract<Section, { readonly kind: "flow" }>;
export type FlameSection = Extract<Section, { readonly kind: "flame" }>;
export type FlameFrame = FlameSection["frames"][number];
export type SeriesSection = Extract<Section, { readonly kind: "series" }>;
export type TreeSection = Extract<Section, { readonly kind: "tree" }>;
export type TreeNode = TreeSection["nodes"][number];
export type HeadlinePart = NonNullable<Report["headline"]>[number];
export type Action = NonNullable<FailureSection["actions"]>[number];
export type Field = FailureSection["fields"][number];
export type Shown = Field["value"];

/** Requests rows that are not in the output; `undefined` if the host passes no messages. */
export type AskRows = ((params: RowsParams) => Promise<RowsResult>) | undefined;

/** The page that a view is in: its clipboard and its messages. */
export interface PageContext {
  readonly copy: (text: string) => Promise<boolean>;
  readonly ask: AskRows;
  /** Asks the editor to do something; `undefined` if the host passes no messages. */
  readonly act: ((action: ResultAction) => void) | undefined;
  /** Whether the rows come from a stream, which has a filter of its own and draws a table again with each of its rows. */
  readonly isLive?: boolean;
  /** Identifies the output for the editor. */
  readonly output: string;
  /** Tables draw all their rows, and do not scroll. */
  readonly showsAllRows?: true;
}

export interface RenderContext extends PageContext {
  readonly explorer: string | undefined;
}
