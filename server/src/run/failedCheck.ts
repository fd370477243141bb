import type { FileRange } from "../base/text.ts";

/** An expectation or a snapshot that was missed. */
export interface FailedCheck {
  readonly message: string;
  /** Both for a comparison side by side; absent where there is nothing to set beside the other. */
  readonly expected?: string;
  readonly actual?: string;
  /** Of the member of `expect`, else of the cell. */
  readonly place?: FileRange;
}
