import type { InitializationOptions, Settings } from "../protocol/settings.ts";

/** Reads the options that an editor sends at the start. Leaves out members of the wrong type. */
export function optionsOf(value: unknown): InitializationOptions {
  const { trusted, readsFiles, approvesHosts, signatures, runsCells, marksStaleResults } = members(value);
  const { keepsSecrets, namesAddresses, takesPushedProblems, approvedHosts, lastNotebook, settings, docs, version } =
    members(value);
  return {
    ...(typeof trusted === "boolean" && { trusted }),
    ...(typeof readsFiles === "boolean" && { readsFiles }),
    ...(isString(signatures) && URL.canParse(signatures) && { signatures }),
    ...(typeof approvesHosts === "boolean" && { approvesHosts }),
    ...(typeof runsCells === "boolean" && { runsCells }),
    ...(typeof marksStaleResults === "boolean" && { marksStaleResults }),
    ...(typeof takesPushedProblems === "boolean" && { takesPushedProblems }),
    ...(typeof keepsSecrets === "boolean" && { keepsSecrets }),
    ...(typeof namesAddresses === "boolean" && { namesAddresses }),
    ...(Array.isArray(approvedHosts) && { approvedHosts: approvedHosts.filter(isString) }),
    ...(isString(lastNotebook) && URL.canParse(lastNotebook) && { lastNotebook }),
    ...(isObject(settings) && { settings: settingsOf(settings) }),
    ...(isString(version) && { version }),
    ...(isString(docs) && URL.canParse(docs) && { docs }),
  };
}

/** Reads settings by section, as people write them into their editors. */
export function settingsOf(value: unknown): Settings {
  const { rpcNotebook, http, workspace } = members(value);
  const { timeout, maxResponseSize, openrpc, descriptors, tokenLookup, liveHints, readMethods } = members(rpcNotebook);
  const { proxy, noProxy, proxyStrictSSL } = members(http);
  return {
    rpcNotebook: {
      ...endpointSettings(rpcNotebook),
      ...(Array.isArray(readMethods) && { readMethods: readMethods.filter(isString) }),
      ...(isAmount(timeout) && { timeout }),
      ...(isAmount(maxResponseSize) && { maxResponseSize }),
      ...(typeof tokenLookup === "boolean" && { tokenLookup }),
      ...((liveHints === "off" || liveHints === "on" || liveHints === "always") && { liveHints }),
      ...(Array.isArray(openrpc) && { openrpc: openrpc.filter(isString) }),
      ...(Array.isArray(descriptors) && { descriptors: descriptors.filter(isString) }),
    },
    http: {
      ...(isString(proxy) && { proxy }),
      ...(Array.isArray(noProxy) && { noProxy: noProxy.filter(isString) }),
      ...(typeof proxyStrictSSL === "boolean" && { proxyStrictSSL }),
    },
    ...(isObject(workspace) && { workspace: endpointSettings(workspace) }),
  };
}

function endpointSettings(value: unknown): NonNullable<Settings["workspace"]> {
  const { endpoint, endpoints } = members(value);
  return { ...(isString(endpoint) && { endpoint }), ...(isObject(endpoints) && { endpoints }) };
}

function members(value: unknown): Readonly<Record<string, unknown>> {
  return isObject(value) ? value : {};
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isString(value: unknown): value is string {
  return typeof value === "string";
}

function isAmount(value: unknown): value is number {
  return typeof value === "number" && value > 0;
}
