/**
 * The page's policy allows no code that is made of text. The library of schemas would
 * try whether it may make some; it is told beforehand that it may not.
 */
Object.assign(globalThis, { __zod_globalConfig: { jitless: true } });
