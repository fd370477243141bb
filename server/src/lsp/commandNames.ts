import type { LensAction } from "../features/codeLens.ts";
import type { Service } from "../service/service.ts";
import type { Client } from "./client.ts";

/**
 * Commands for editors that do not know our own requests. Arguments: URI of a document, and for `run`, `runAbove`,
 * `trace`, `wireForm` and `updateSnapshots` the ordinal of a cell. Without one, `run` and `updateSnapshots` mean all cells. For
 * `lookUpContract` and `openSource` it is an address; our own client has commands of these names, which take only that.
 */
export const commands = {
  run: "rpcNotebook.run",
  runAbove: "rpcNotebook.runAbove",
  trace: "rpcNotebook.trace",
  wireForm: "rpcNotebook.wireForm",
  pickEndpoint: "rpcNotebook.pickEndpoint",
  probe: "rpcNotebook.probe",
  updateSnapshots: "rpcNotebook.updateSnapshots",
  lookUpContract: "rpcNotebook.lookUpContract",
  openSource: "rpcNotebook.openSource",
} as const;

/** A command of an editor that keeps secrets. Asks for the value of the secret that the argument names. */
export const setSecretCommand = "rpcNotebook.setSecret";

/** A command of an editor that can ask for a name. Names the address that the argument has. */
export const nameAddressCommand = "rpcNotebook.labelAddress";

/** A command of our own client. Asks before it downloads descriptors. */
export const getRegistryCommand = "rpcNotebook.getRegistry";

/**
 * Returns the command of a lens. Our own client runs cells by a command of its own.
 *
 * @returns `""` for a lens that only shows something; `undefined` if this editor has no command for it.
 */
export function lensCommand(action: LensAction, { options }: Client): string | undefined {
  switch (action) {
    case "run":
      return options.runsCells ? "rpcNotebook.runCell" : commands.run;
    case "run-above":
      return commands.runAbove;
    case "trace":
      return options.runsCells ? "rpcNotebook.traceCell" : commands.trace;
    case "wire-form":
      return commands.wireForm;
    case "update-snapshot":
      return options.runsCells ? "rpcNotebook.updateSnapshot" : commands.updateSnapshots;
    case "copy-as":
      return options.runsCells ? "rpcNotebook.copyAs" : undefined; // other editors use `rpcNotebook/export`
    case "explain":
      return options.runsCells ? "rpcNotebook.explainCell" : undefined; // other editors have code actions for it
    case "show-result":
      return "";
  }
}

/** The kinds of actions, by the names of the protocol. */
export const codeActionKinds: Readonly<Record<ReturnType<Service["codeActions"]>[number]["kind"], string>> = {
  quickfix: "quickfix",
  refactor: "refactor",
  "source.fixAll": "source.fixAll.rpcNotebook",
};
