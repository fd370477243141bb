import { type HostOptions, startHost } from "./workbench.ts";

export interface SuiteOptions extends HostOptions {
  /** A CommonJS file that exports `run`; for the web it lies in the extension's folder and imports nothing. */
  readonly extensionTestsPath: string;
  /** How long the whole run may take, in milliseconds. */
  readonly limitMs?: number;
}

export interface SuiteEnd {
  /** 0 means that the suite's `run` succeeded; every other value is a failure. */
  readonly exitCode: number;
  /** The reason why the suite did not end by itself. */
  readonly reason?: string;
}

/** Runs a suite in the extension host. */
export async function runSuite(options: SuiteOptions): Promise<SuiteEnd> {
  const limitMs = options.limitMs ?? 300_000;
  const host = await startHost(options);
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`The suite had no result after ${limitMs / 1000} seconds.`)), limitMs);
  });
  try {
    return { exitCode: await Promise.race([host.exit, late]) };
  } catch (error) {
    await host.screenshot("host-failure").catch(() => {});
    return { exitCode: 1, reason: error instanceof Error ? error.message : String(error) };
  } finally {
    clearTimeout(timer);
    await host.close();
  }
}
