import { oneLine, plural } from "../base/text.ts";
import { fullText } from "../recording/maxRecordingBytes.ts";
import { openRecorder, type Recorder } from "../recording/recorder.ts";
import { hasAnswers, printRecording } from "../recording/recording.ts";
import type { Host } from "../workspace/host.ts";
import { type Output, writeOutput } from "./outputFile.ts";
import type { RunContext } from "./runFile.ts";
import { exitCodes } from "./terminal.ts";

export function recordingHost(host: Host): { readonly host: Host; readonly recorder: Recorder } {
  const recorder = openRecorder(host);
  return { host: { ...host, transport: recorder.transport, sockets: recorder.sockets }, recorder };
}

/** Writes what was recorded to a file. Secrets are masked. @returns The exit code. */
export async function writeRecording(
  output: Output,
  recorder: Recorder,
  { service, host, terminal, version, signal }: RunContext & { readonly version: string },
): Promise<number> {
  const name = oneLine(output.name);
  const made = await recorder.finish(`rpc-notebook ${version}`, signal);
  if (made.exchanges.length === 0) {
    terminal.complain(`Nothing was sent, so ${name} was not written.`);
    return exitCodes.failed;
  }
  const [mixed] = recorder.ambiguous();
  if (mixed !== undefined) {
    const todo = "Give each address a name of its own in rpc-endpoints.json.";
    terminal.complain(`${name} was not written: two addresses are called ${oneLine(mixed, 60)}.`, todo);
    return exitCodes.failed;
  }
  const { recording, masked } = service.masked(made);
  if (!(await writeOutput(output, printRecording(recording), host, terminal, hasAnswers(made))))
    return exitCodes.failed;
  const count = plural(recording.exchanges.length, "exchange");
  const streams = recording.streams.length > 0 ? ` and ${plural(recording.streams.length, "subscription")}` : "";
  terminal.note(`Recorded ${count}${streams} in ${name}${masked > 0 ? `; secrets masked in ${masked} of them` : ""}.`);
  if (recording.missed !== undefined) terminal.complain(fullText(recording.missed), "Record for a shorter time.");
  return exitCodes.ok;
}
