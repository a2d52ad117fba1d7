// Builds the view's large parts, which it loads when they are needed: maths.js, and
// diagrams.js, which holds a program for a sandboxed frame as text.

import { build } from "esbuild";

const common = {
  bundle: true,
  minify: true,
  platform: "browser",
  target: "es2022",
  define: { "process.env.NODE_ENV": '"production"' },
  loader: { ".css": "text" },
  // licenses.mjs lists all libraries.
  legalComments: "none",
  logLevel: "warning",
  metafile: true,
  write: false,
};

/** The library that sets formulas in diagrams; formulas have their own. */
const withoutKaTeX = {
  name: "without KaTeX",
  setup(build) {
    build.onResolve({ filter: /^katex$/ }, ({ path }) => ({ path, namespace: "nothing" }));
    build.onLoad({ filter: /./, namespace: "nothing" }, () => ({ contents: "export default { renderToString(tex) { return tex; } };" }));
  },
};

/**
 * Returns the files by their names, the frame's program alone, and esbuild's metafiles.
 */
export async function parts(root) {
  const [maths, frame] = await Promise.all([
    build({ ...common, absWorkingDir: root, entryPoints: ["src/maths/maths.ts"], format: "esm" }),
    build({ ...common, absWorkingDir: root, entryPoints: ["src/diagrams/frame.ts"], format: "iife", plugins: [withoutKaTeX] }),
  ]);
  // The program becomes the text of a script element. Only strings contain these.
  const program = frame.outputFiles[0].text.trimEnd().replace(/<(?=\/script|!--)/gi, "\\x3c");
  const files = new Map([
    ["maths.js", maths.outputFiles[0].text],
    ["diagrams.js", `export const program = ${JSON.stringify(program)};\n`],
  ]);
  return { files, program, metafiles: [maths.metafile, frame.metafile] };
}
