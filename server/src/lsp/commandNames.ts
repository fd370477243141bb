import type { LensAction } from "../features/codeLens.ts";
import type { Client } from "./client.ts";

/**
 * Commands for editors that have none of their own for it. Arguments: URI of a document, and for `run`, `runAbove`
 * and `wireForm` the ordinal of a cell; without one, `run` runs all.
 */
export const commands = {
  run: "rpcNotebook.run",
  runAbove: "rpcNotebook.runAbove",
  wireForm: "rpcNotebook.wireForm",
  pickEndpoint: "rpcNotebook.pickEndpoint",
} as const;

/** Empty for a lens that is only shown. Our own client runs cells by a command of its own. */
export function lensCommand(action: LensAction, { options }: Client): string {
  switch (action) {
    case "run":
      return options.runsCells ? "rpcNotebook.runCell" : commands.run;
    case "run-above":
      return commands.runAbove;
    case "wire-form":
      return commands.wireForm;
    case "show-result":
      return "";
  }
}
