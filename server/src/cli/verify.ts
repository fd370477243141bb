import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { printJson } from "../base/json.ts";
import { oneLine, plural } from "../base/text.ts";
import { contentsText, nextBlock, rowsIn } from "../save/logManifest.ts";
import type { Host } from "../workspace/host.ts";
import { chooseEndpoint } from "./choose.ts";
import type { VerifyOptions } from "./command.ts";
import type { CommandLineHost } from "./commandLineHost.ts";
import { noteEndpointProblems, openService } from "./openService.ts";
import { exitCodes } from "./terminal.ts";

/** A notebook that is only in memory: its folder says which endpoint files count. */
const inMemory = "verify.rpc.json";

/**
 * `rpc-notebook verify`: checks a file that `run --save` wrote.
 *
 * @returns The exit code.
 */
export async function verify(
  { file, endpoint, json }: VerifyOptions,
  host: Host,
  line: CommandLineHost,
): Promise<number> {
  const { service, terminal } = openService(host, line.terminal);
  const uri = pathToFileURL(resolve(inMemory)).href;
  service.openText(uri, "[]");
  const wrong = await chooseEndpoint(endpoint, [{ uri }], service);
  for (const { what, todo } of wrong) terminal.complain(what, todo);
  noteEndpointProblems(service, terminal);
  if (wrong.length > 0) return exitCodes.usage;
  const name = oneLine(file);
  terminal.progress(`… checking ${name}`);
  const checked = await service.verifyLogs(
    uri,
    { uri: pathToFileURL(resolve(file)).href, name, endpoint },
    line.signal,
  );
  if (!checked || "what" in checked) {
    if (checked) terminal.complain(checked.what, checked.todo);
    return exitCodes.failed;
  }
  const { findings, more, manifest, hashes, logs, notes } = checked;
  const isFine = findings.length === 0 && !line.signal.aborted;
  if (line.signal.aborted) terminal.complain("Cancelled: not all of the file was checked.");
  if (json) {
    const range = { from: manifest.from, to: nextBlock(manifest) - 1, rows: rowsIn(manifest.pieces) };
    const compared = { hashes, logs };
    terminal.print(printJson({ file: name, ok: isFine, ...range, compared, findings, more, notes }, 2));
    return isFine ? exitCodes.ok : exitCodes.failed;
  }
  for (const finding of findings) terminal.print(finding);
  if (more > 0) terminal.print(`… and ${plural(more, "more finding")}`);
  for (const note of notes) terminal.note(note);
  const hashesText = hashes > 0 ? `, ${plural(hashes, "block hash", "block hashes")}` : "";
  const compared = logs > 0 ? `${hashesText}, ${plural(logs, "log")} read again` : hashesText;
  if (isFine) terminal.print(`${name} is complete: ${contentsText(manifest, "row")}${compared}.`);
  return isFine ? exitCodes.ok : exitCodes.failed;
}
