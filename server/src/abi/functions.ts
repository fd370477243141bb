import { accountFunctions } from "./accountFunctions.ts";
import type { Declarations } from "./events.ts";
import { protocolFunctions } from "./protocolFunctions.ts";
import { tokenFunctions } from "./tokenFunctions.ts";

/**
 * The functions that can be called by name, and whose call data is decoded, without an ABI. Of equal selectors the
 * first one is the likelier.
 */
export const bundledFunctions: readonly Declarations[] = [...tokenFunctions, ...accountFunctions, ...protocolFunctions];
