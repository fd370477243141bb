import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type { Explanation } from "../base/error.ts";
import { type JsonValue, printJson } from "../base/json.ts";
import { oneLine, plural } from "../base/text.ts";
import { contentsText, manifestSuffix, nextBlock, rowsIn } from "../save/logManifest.ts";
import type { VerifiedLogs } from "../save/verifyLogs.ts";
import type { Host } from "../workspace/host.ts";
import { chooseEndpoint } from "./choose.ts";
import type { VerifyOptions } from "./command.ts";
import type { CommandLineHost } from "./commandLineHost.ts";
import { noteEndpointProblems, openService } from "./openService.ts";
import { exitCodes, type Terminal } from "./terminal.ts";

/** A notebook that is only in memory: its folder says which endpoint files count. */
const inMemory = "verify.rpc.json";

/**
 * `rpc-notebook verify`: checks files that `run --save` wrote.
 *
 * @returns The exit code.
 */
export async function verify(
  { files: named, endpoint, json }: VerifyOptions,
  host: Host,
  line: CommandLineHost,
): Promise<number> {
  const { service, terminal } = openService(host, line.terminal);
  const uri = pathToFileURL(resolve(inMemory)).href;
  service.openText(uri, "[]");
  const unread = await Promise.all(named.map(notFile));
  const wrong = [
    ...unread.filter((fault) => fault !== undefined),
    ...(await chooseEndpoint(endpoint, [{ uri }], service)),
  ];
  for (const { what, todo } of wrong) terminal.complain(what, todo);
  noteEndpointProblems(service, terminal);
  if (wrong.length > 0) return exitCodes.usage;
  const owns = (manifest: string, file: string): boolean => manifest === `${file}${manifestSuffix}`;
  const files = named.filter((name) => !named.some((file) => owns(name, file))); // a pattern names both
  let code: number = exitCodes.ok;
  const all: JsonValue[] = [];
  for (const file of files) {
    const name = oneLine(file);
    terminal.progress(`… checking ${name}`);
    const place = { uri: pathToFileURL(resolve(file)).href, name, endpoint };
    const checked = await service.verifyLogs(uri, place, line.signal);
    const isFine = checked && !("what" in checked) && checked.findings.length === 0 && !line.signal.aborted;
    if (!isFine) code = exitCodes.failed;
    if (!checked || "what" in checked) {
      if (checked) terminal.complain(checked.what, checked.todo);
      if (checked && files.length > 1) all.push({ file: name, ok: false, fault: checked.what });
    } else if (json) all.push(checkedJson(name, isFine === true, checked));
    else printChecked(files.length > 1 ? `${name}: ` : "", name, isFine === true, checked, terminal);
    if (line.signal.aborted) {
      terminal.complain("Cancelled: not everything was checked.");
      break;
    }
  }
  const [only] = all;
  if (json && only !== undefined) terminal.print(printJson(files.length > 1 ? all : only, 2));
  return code;
}

/** Says why a name is not that of a file; `undefined` if it is. */
async function notFile(path: string): Promise<Explanation | undefined> {
  const [name, found] = [oneLine(path), await stat(path).catch(() => undefined)];
  if (!found) return { what: `${name}: file not found.`, todo: "Check its name, and the working folder." };
  const todo = `Name the files in it: ${name.replace(/[\\/]+$/, "")}/*.parquet`;
  return found.isDirectory() ? { what: `${name} is a folder.`, todo } : undefined;
}

function checkedJson(name: string, ok: boolean, checked: VerifiedLogs): JsonValue {
  const { findings, more, manifest, hashes, logs, notes } = checked;
  const range = { from: manifest.from, to: nextBlock(manifest) - 1, rows: rowsIn(manifest.pieces) };
  return { file: name, ok, ...range, compared: { hashes, logs }, findings, more, notes };
}

function printChecked(before: string, name: string, ok: boolean, checked: VerifiedLogs, terminal: Terminal): void {
  const { findings, more, manifest, hashes, logs, notes } = checked;
  for (const finding of findings) terminal.print(`${before}${finding}`);
  if (more > 0) terminal.print(`… and ${plural(more, "more finding")}`);
  for (const note of notes) terminal.note(note);
  const hashesText = hashes > 0 ? `, ${plural(hashes, "block hash", "block hashes")}` : "";
  const compared = logs > 0 ? `${hashesText}, ${plural(logs, "log")} read again` : hashesText;
  if (ok) terminal.print(`${name} is complete: ${contentsText(manifest, "row")}${compared}.`);
}
