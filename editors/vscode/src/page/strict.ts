/**
 * The page's policy forbids code made from text. Tell the schema library not to try
 * it.
 */
Object.assign(globalThis, { __zod_globalConfig: { jitless: true } });
