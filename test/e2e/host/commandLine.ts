import { runSuite, type SuiteOptions } from "./suite.ts";

/** Handles these arguments as desktop VS Code does, as far as tests use them; ignores the others. */
export async function main(argv: readonly string[]): Promise<number> {
  const options = parse(argv);
  if (!options.extensionTestsPath) {
    console.error("This stand-in for VS Code only runs test suites: --extensionTestsPath is missing.");
    return 2;
  }
  const { exitCode, reason } = await runSuite({ ...options, extensionTestsPath: options.extensionTestsPath });
  if (reason) console.error(reason);
  return exitCode;
}

function parse(argv: readonly string[]): Partial<SuiteOptions> {
  const options: { -readonly [Key in keyof SuiteOptions]?: SuiteOptions[Key] } = {};
  const seconds = process.env.TEST_HOST_TIMEOUT;
  if (seconds) options.limitMs = Number(seconds) * 1000;
  for (const argument of argv) {
    const [, flag, value = ""] = /^--([\w-]+)(?:=(.*))?$/s.exec(argument) ?? [];
    if (!flag) options.open ??= argument;
    else if (flag === "extensionDevelopmentPath") {
      options.extensionDevelopmentPath = [...(options.extensionDevelopmentPath ?? []), value];
    } else if (flag === "extensionDevelopmentKind" && value === "web") options.extensionDevelopmentKind = value;
    else if (flag === "extensionTestsPath") options.extensionTestsPath = value;
    else if (flag === "user-data-dir") options.userDataDir = value;
    else if (flag === "extensions-dir") options.extensionsDir = value;
    else if (flag === "disable-extensions") options.disableExtensions = true;
  }
  return options;
}
