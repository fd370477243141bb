import type { LensAction } from "../features/codeLens.ts";
import type { Client } from "./client.ts";

/**
 * Commands for editors that have none of their own for it. Arguments: URI of a document, and for `run`, `runAbove`,
 * `wireForm` and `updateSnapshots` the ordinal of a cell; without one, `run` and `updateSnapshots` mean all.
 */
export const commands = {
  run: "rpcNotebook.run",
  runAbove: "rpcNotebook.runAbove",
  wireForm: "rpcNotebook.wireForm",
  pickEndpoint: "rpcNotebook.pickEndpoint",
  probe: "rpcNotebook.probe",
  updateSnapshots: "rpcNotebook.updateSnapshots",
} as const;

/** Of an editor that keeps secrets: asks for the value of the secret that the argument names. */
export const setSecretCommand = "rpcNotebook.setSecret";

/**
 * Our own client runs cells by a command of its own.
 *
 * @returns `""` for a lens that is only shown; `undefined` for one that this editor has no command for.
 */
export function lensCommand(action: LensAction, { options }: Client): string | undefined {
  switch (action) {
    case "run":
      return options.runsCells ? "rpcNotebook.runCell" : commands.run;
    case "run-above":
      return commands.runAbove;
    case "wire-form":
      return commands.wireForm;
    case "update-snapshot":
      return options.runsCells ? "rpcNotebook.updateSnapshot" : commands.updateSnapshots;
    case "copy-as":
      return options.runsCells ? "rpcNotebook.copyAs" : undefined; // others ask by `rpcNotebook/export`
    case "show-result":
      return "";
  }
}
