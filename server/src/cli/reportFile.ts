import { sealed } from "../base/hash.ts";
import { oneLine, visible } from "../base/text.ts";
import type { Host } from "../workspace/host.ts";
import type { CommandLineHost } from "./commandLineHost.ts";
import { type Output, writeOutput } from "./outputFile.ts";
import { exitCodes, plain, type Terminal } from "./terminal.ts";

/** UTF-16 code units that are kept. The writer refuses files of fewer bytes, so a longer report is refused as well. */
const maxLength = 70_000_000;

/**
 * Lets a command write its report to a file instead of standard output, always in UTF-8: Windows PowerShell writes
 * other bytes behind `>`. Nothing is written if the command is wrong usage or has nothing to report.
 *
 * @returns The exit code of the command, or that of a failure if the file was not written.
 */
export async function intoFile(
  output: Output,
  line: CommandLineHost,
  command: (line: CommandLineHost) => Promise<number>,
): Promise<number> {
  const texts: string[] = [];
  let length = 0;
  let host: Host | undefined;
  const terminal: Terminal = {
    ...line.terminal,
    width: undefined,
    paint: plain,
    clear() {},
    print(text) {
      if (length < maxLength) texts.push(visible(text));
      length += text.length;
    },
  };
  const lent: Pick<CommandLineHost, "terminal" | "host"> = {
    terminal,
    async host(options) {
      host = await line.host(options);
      return host;
    },
  };
  const code = await command(Object.assign(Object.create(line), lent)); // a copy would read the signal
  if (code === exitCodes.usage || texts.length === 0 || !host) return code;
  if (!(await writeOutput(output, sealed(`${texts.join("\n")}\n`, output.kind), host, line.terminal)))
    return Math.max(code, exitCodes.failed);
  line.terminal.note(`Wrote ${oneLine(output.name)}.`);
  return code;
}
