import type { StorageLayout } from "../abi/storageLayout.ts";
import { layoutNames, layoutsNamed, noLayout, type StorageScope, severalLayouts } from "../abi/storageScope.ts";
import { storageScope } from "../analysis/storage.ts";
import { type Hex, isAddress } from "../base/hex.ts";
import { brief, capitalized } from "../base/text.ts";
import { headerValues } from "../notebook/header.ts";
import { readCell } from "../notebook/readCell.ts";
import type { ContractStorageParams, StorageContractsResult } from "../protocol/endpoints.ts";
import { failedReport } from "../report/failure.ts";
import type { CellOutput } from "../report/report.ts";
import type { Document } from "../workspace/documents.ts";
import { type LabelFiles, withContractNames } from "../workspace/labelFiles.ts";
import type { ProjectContracts } from "../workspace/projectContracts.ts";
import { type Measurement, measure, type ProbeSupport } from "./probeEndpoint.ts";
import { readStorage } from "./readStorage.ts";
import { storageJson, storageReport } from "./storageReport.ts";

export interface StorageSupport extends ProbeSupport {
  readonly contracts: ProjectContracts;
  readonly labelFiles: LabelFiles;
}

/** Lists what a contract stores, at one block or at two with the differences. */
export async function showStorage(
  document: Document,
  { contract, address, blocks, endpoint }: ContractStorageParams,
  signal: AbortSignal,
  support: StorageSupport,
): Promise<CellOutput> {
  const scope = await storageOf(document, support);
  return measure("storage", document, endpoint, signal, support, async ({ asker }, elapsedMs) => {
    const layout = layoutOf(contract, scope);
    const account = addressOf(address, scope);
    if (typeof layout === "string") return refusal(layout);
    if (account === undefined) return refusal(`\`${brief(address, 60)}\` is not an address, a label or a variable`);
    const reading = await readStorage(asker, layout, { address: account, blocks }, scope.keys, signal);
    const durationMs = elapsedMs();
    return {
      report: storageReport(reading, durationMs, scope.keys.labels),
      json: storageJson(reading, durationMs),
    };
  });
}

/** Returns the contracts that {@link showStorage} knows, and the addresses that have names. */
export async function storageChoices(document: Document, support: StorageSupport): Promise<StorageContractsResult> {
  const { layouts, keys } = await storageOf(document, support);
  const variables = [...keys.variables].flatMap(([name, value]) =>
    isAddress(value) ? [{ name, address: value }] : [],
  );
  const labelled = [...keys.labels].flatMap(([address, name]) => (isAddress(address) ? [{ name, address }] : []));
  const named = [...variables, ...labelled];
  const addresses = new Map(named.map((one) => [`${one.address.toLowerCase()} ${one.name}`, one]));
  return { contracts: layoutNames(layouts), addresses: [...addresses.values()] };
}

/** Waits until the artifacts of the project have been read. */
async function storageOf(document: Document, { contracts, labelFiles }: StorageSupport): Promise<StorageScope> {
  contracts.want(document);
  const [fromFiles] = await Promise.all([labelFiles.ready(document.uri), contracts.settled(document.uri)]);
  const { header } = document;
  const { variables } = headerValues(header);
  const abis = contracts.of(document);
  return storageScope(header ?? readCell("{}"), {
    header,
    abis,
    labels: withContractNames(fromFiles, abis),
    variables,
  });
}

/** @returns The layout, or a clause that says why it is unknown. */
function layoutOf(contract: string, scope: StorageScope): StorageLayout | string {
  const [layout, ...others] = layoutsNamed(scope.layouts, contract);
  if (!layout) return noLayout(contract, scope);
  return others.length > 0 ? severalLayouts([layout, ...others]) : layout;
}

function addressOf(written: string, { keys }: StorageScope): Hex | undefined {
  if (isAddress(written)) return written;
  const variable = keys.variables.get(written);
  if (isAddress(variable)) return variable;
  const labelled = [...keys.labels].flatMap(([address, name]) =>
    name === written && isAddress(address) ? address : [],
  );
  return labelled.length === 1 ? labelled[0] : undefined;
}

function refusal(what: string): Measurement {
  const sentence = `${capitalized(what)}.`;
  const report = { ...failedReport("storage", { what: sentence, todo: "" }), summary: "not read" };
  return { report, json: { ok: false, notRead: sentence } };
}
