// Installs what is missing on this machine: the packages, and with `--tests` what tests in VS Code and Neovim need besides.
import { ensure, neovimComponents, packages, vscodeComponents } from "./lib/install.mjs";
import { endChildrenOnSignal } from "./lib/processes.mjs";

endChildrenOnSignal();
const lists = process.argv.includes("--tests") ? [[packages], neovimComponents, ...vscodeComponents] : [[packages]];
const missing = (await Promise.all(lists.map(ensure))).filter((reason) => reason !== undefined);
for (const reason of missing) console.error(reason);
process.exitCode = missing.length > 0 ? 1 : 0;
