import { rmSync } from "node:fs";
import { openTrap, type Trap } from "../../support/trap.ts";
import { inWindow } from "../host/window.ts";
import { consent, filesOfConsent } from "./consent.ts";
import { filesOfFirstSteps, firstSteps } from "./firstSteps.ts";
import { filesOfNotebook, notebook } from "./notebook.ts";
import { filesOfStranger, trust } from "./trust.ts";

let trap: Trap;
const opened = () => trap;
const options: Parameters<typeof inWindow>[1] = {
  workspaceTrust: true,
  settings: { "rpcNotebook.liveHints": "on" },
  files: { ...filesOfConsent, ...filesOfNotebook, ...filesOfFirstSteps },
  viewport: { width: 1280, height: 1600 }, // outputs below the fold are not drawn
  async prepare({ write }) {
    trap = await openTrap();
    for (const [name, content] of Object.entries(filesOfStranger(trap))) write(name, content);
    return () => trap.close();
  },
};

// One window for all of them: the start of a window takes as long as several tests.
inWindow("a window", options, (vscode) => {
  describe("a trap for every byte", () => trust(vscode, opened));

  describe("a workspace whose settings name an endpoint", () => {
    before(() => vscode.write("rpc-endpoints.private.json", { local: vscode.installation.chain.url }));
    consent(vscode, opened);
    after(() => {
      for (const name of [".vscode/settings.json", "rpc-endpoints.json"]) rmSync(vscode.pathOf(name));
    });
  });

  describe("the notebook", () => {
    before(() => vscode.closeAll());
    notebook(vscode);
  });
  describe("the first steps", () => firstSteps(vscode));
});
