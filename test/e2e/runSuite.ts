// Runs the suite against the installed package in Node's extension host, in a thorough run also in the one of a web worker.
// With TEST_VSCODE=<path> the first runs in that desktop VS Code; TEST_VSCODE=download fetches one.
import { fileURLToPath } from "node:url";
import { runTests } from "@vscode/test-electron";
import { thorough } from "../support/depth.ts";
import { bundleSuite, bundleWebSuite } from "./bundle.ts";
import { runSuite, type SuiteOptions } from "./host/suite.ts";
import { endInstallations, type Installation, install, webExtension } from "./installed.ts";

const here = (name: string) => fileURLToPath(new URL(name, import.meta.url));

const installation = await install();
try {
  const passed = [await inNode(installation), !thorough || (await inWebWorker(installation))];
  process.exitCode = passed.every(Boolean) ? 0 : 1;
} finally {
  await installation.remove();
  await endInstallations();
}

async function inNode({ extensionsDir, userDataDir, workspace, chain }: Installation): Promise<boolean> {
  const extensionTestsPath = await bundleSuite();
  const env = { TEST_CHAIN: chain.url };
  const vscode = process.env.TEST_VSCODE;
  if (!vscode)
    return ran({
      extensionDevelopmentPath: [here("runner")],
      extensionTestsPath,
      env,
      open: workspace,
      extensionsDir,
      userDataDir,
    });
  const options = {
    ...(vscode !== "download" && { vscodeExecutablePath: vscode }),
    extensionDevelopmentPath: here("runner"),
    extensionTestsPath,
    extensionTestsEnv: env,
    launchArgs: [workspace, `--extensions-dir=${extensionsDir}`, `--user-data-dir=${userDataDir}`],
  };
  return runTests(options).then(
    () => true,
    (error) => {
      console.error(String(error));
      return false;
    },
  );
}

async function inWebWorker(installation: Installation): Promise<boolean> {
  const extension = await webExtension(installation);
  return ran({
    extensionDevelopmentPath: [extension],
    extensionDevelopmentKind: "web",
    extensionTestsPath: await bundleWebSuite(extension),
    open: installation.workspace,
  });
}

async function ran(options: SuiteOptions): Promise<boolean> {
  const { exitCode, reason } = await runSuite({ ...options, shots: here("shots") });
  if (reason) console.error(reason);
  return exitCode === 0;
}
