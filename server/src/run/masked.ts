import type { Mask } from "../base/mask.ts";
import type { Log } from "../base/ports.ts";
import type { CellOutput } from "../protocol.ts";

/** An output as it may be shown. Each form is made, and masked, when it is first asked for. */
export function maskedOutput(output: CellOutput, mask: Mask): CellOutput {
  if (mask.isEmpty) return output;
  const { ok, startedAt, durationMs } = output;
  let reports: CellOutput["reports"] | undefined;
  return {
    ok,
    startedAt,
    durationMs,
    get reports() {
      reports ??= mask.value(output.reports);
      return reports;
    },
    get text() {
      return mask.text(output.text);
    },
    get json() {
      return mask.text(output.json);
    },
  };
}

export function maskedLog(log: Log, mask: Mask): Log {
  return {
    info: (message) => log.info(mask.text(message)),
    warn: (message) => log.warn(mask.text(message)),
    error: (message, cause) => log.error(mask.text(message), cause),
  };
}
