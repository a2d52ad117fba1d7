// The editors that the scenarios are run with: what they offer is between
// nothing and all that Turnwire knows.

export const editors = {
  "an editor that offers nothing": {},
  "an editor with a file system": { fs: { readTextFile: true, writeTextFile: true } },
  "an editor with everything": {
    fs: { readTextFile: true, writeTextFile: true },
    terminal: true,
    elicitation: { form: {} },
    plan: {},
    subagents: {},
    session: { notices: {}, compaction: {}, configOptions: { boolean: {} } },
    _meta: { "turnwire.dev/events": true },
  },
};
