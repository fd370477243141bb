// Installs missing components: the packages and, with `--tests`, everything for the tests in VS Code and Neovim.
import { ensure, packages, testComponents, testPackages } from "./lib/install.mjs";
import { endChildrenOnSignal } from "./lib/processes.mjs";

endChildrenOnSignal();
const lists = process.argv.includes("--tests") ? [[testPackages], ...Object.values(testComponents)] : [[packages]];
const missing = (await Promise.all(lists.map(ensure))).filter((reason) => reason !== undefined);
for (const reason of missing) console.error(reason);
process.exitCode = missing.length > 0 ? 1 : 0;
