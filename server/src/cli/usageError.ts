import { RpcNotebookError } from "../base/error.ts";

/** The command line has a mistake. The process ends with exit code 2. */
export class UsageError extends RpcNotebookError {
  readonly code = "cli.usage";
}
