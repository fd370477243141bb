import assert from "node:assert/strict";
import { createService } from "../../../server/src/service/service.ts";
import { edited } from "../../support/cell.ts";
import { testHost } from "../../support/host.ts";

const uri = "file:///notebook.rpc.json";
const cell = `{ "method": "eth_getBalance", "params": ["{{alice}}", "latest"] }`;
const title = "Add a variable alice to the header";

/** The whole file after the action with this title at a place in it. */
function afterFix(text: string, at: string, title: string): string | undefined {
  const service = createService(testHost());
  service.openText(uri, text);
  const offset = text.indexOf(at);
  const action = service.codeActions(uri, { start: offset, end: offset }).find((one) => one.title === title);
  return action && edited(text, action.edits);
}

describe("a header that is changed by a fix, in a file that is shown as text", () => {
  const variables = `"variables": { "alice": "" }`;
  for (const [before, file] of [
    [`{ "cells": [${cell}] }`, `{ ${variables}, "cells": [${cell}] }`],
    [`{\n  "cells": [${cell}]\n}`, `{\n  ${variables},\n  "cells": [${cell}]\n}`],
    [`{"cells":[${cell}]}`, `{ ${variables},"cells":[${cell}]}`],
    [`{ "endpoint": "local", "cells": [${cell}] }`, `{ ${variables}, "endpoint": "local", "cells": [${cell}] }`],
    [`{ "cells": [${cell}], "endpoint": "local" }`, `{ ${variables}, "cells": [${cell}], "endpoint": "local" }`],
    [
      `{ "cells": [${cell}], "variables": { "bob": 1 } }`,
      `{ "cells": [${cell}], "variables": { "bob": 1, "alice": "" } }`,
    ],
    [`{ "variables": {}, "cells": [${cell}], "labels": {} }`, `{ ${variables}, "cells": [${cell}], "labels": {} }`],
  ] as const)
    it(`stays one: ${before.replaceAll(cell, "…")}`, () => {
      const made = afterFix(before, "{{alice}}", title);
      assert.equal(made, file);
      assert.doesNotThrow(() => JSON.parse(made ?? ""));
    });

  it("keeps its cells, whatever is deleted around them", () => {
    const text = `{ "foo": 1, "cells": [${cell}], "bar": 2 }`;
    assert.equal(afterFix(text, `foo"`, "Delete foo"), undefined);
    assert.equal(afterFix(text, `bar"`, "Delete bar"), `{ "foo": 1, "cells": [${cell}] }`);
    assert.equal(
      afterFix(
        `{ "endpiont": "a", "cells": [${cell}], "chainId": "0x01" }`,
        "endpiont",
        "Fix all problems in this cell that have only one fix",
      ),
      `{ "endpoint": "a", "cells": [${cell}], "chainId": "0x1" }`,
    );
  });
});
