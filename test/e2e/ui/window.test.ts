import { openTrap, type Trap } from "../../support/trap.ts";
import { inTurn, inWindow } from "../host/window.ts";
import { consent, filesOfConsent } from "./consent.ts";
import { filesOfFirstSteps, firstSteps } from "./firstSteps.ts";
import { filesOfNotebook, notebook } from "./notebook.ts";
import { filesOfStranger, trust } from "./trust.ts";

let trap: Trap;
const opened = () => trap;
const options: Parameters<typeof inWindow>[1] = {
  workspaceTrust: true,
  settings: { "rpcNotebook.liveHints": "on" },
  viewport: { width: 1280, height: 1600 }, // outputs below the fold are not drawn
  async prepare({ write }) {
    trap = await openTrap();
    for (const [name, content] of Object.entries(filesOfStranger(trap))) write(name, content);
    return () => trap.close();
  },
};

// One window for all of them: the start of a window takes as long as several tests. Trust comes first, since a workspace is
// not trusted only until it is; the others may have any order.
inWindow("a window", options, (vscode) => {
  const ofStranger = () => ({
    ...filesOfStranger(trap),
    ...filesOfConsent,
    "rpc-endpoints.private.json": { local: vscode.installation.chain.url },
  });
  inTurn(
    vscode,
    "a trap for every byte",
    () => ({}),
    () => trust(vscode, opened),
  );
  inTurn(vscode, "a workspace whose settings name an endpoint", ofStranger, () => consent(vscode, opened));
  inTurn(
    vscode,
    "the notebook",
    () => filesOfNotebook,
    () => notebook(vscode),
  );
  inTurn(
    vscode,
    "the first steps",
    () => filesOfFirstSteps,
    () => firstSteps(vscode),
  );
});
