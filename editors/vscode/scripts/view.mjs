// Build options for the view's half of the extension: one script and one style
// sheet, for a page that may load nothing else but parts.mjs's files. The view's tests
// use the same options.

export const view = {
  entryPoints: [
    { in: "src/webview/main.tsx", out: "view" },
    { in: "src/webview/style/index.css", out: "view" },
  ],
  bundle: true,
  minify: true,
  platform: "browser",
  format: "iife",
  target: "es2022",
  jsx: "automatic",
  jsxImportSource: "preact",
  define: { "process.env.NODE_ENV": '"production"' },
  // licenses.mjs lists all libraries.
  legalComments: "none",
  logLevel: "warning",
};
