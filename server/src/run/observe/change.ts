import { withChange } from "../../report/additions.ts";
import type { Observation } from "./observation.ts";

/** The difference from the last answer to the same request. */
export const change: Observation<true> = {
  concerns: () => true,
  of: () => true,
  hidden: (found) => found,
  adds: (_found, { before }) => ({ report: (report) => withChange(report, before()) }),
};
