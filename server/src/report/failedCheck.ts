import type { FileRange } from "../base/text.ts";

/** An expectation that failed, or a snapshot that differs. */
export interface FailedCheck {
  readonly message: string;
  /** Both values for a comparison side by side; absent if there is only one. */
  readonly expected?: string;
  readonly actual?: string;
  /** The range of the member of `expect`, else of the cell. */
  readonly place?: FileRange;
}
