// The editors for the scenarios: their capabilities range from none to
// everything Turnwire supports.

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
