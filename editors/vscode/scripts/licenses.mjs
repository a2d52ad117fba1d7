// Lists the libraries in a bundle, with their licences.

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** Libraries that are inside others' published files. The texts of their licences occur for other libraries. */
const contained = new Map([
  ["@mermaid-js/parser", [
    "chevrotain 11.1.2, with @chevrotain/gast, regexp-to-ast and utils (Apache-2.0)",
    "chevrotain-allstar 0.3.1 (MIT), Copyright 2022 TypeFox GmbH",
    "langium 4.2.1 (MIT), Copyright 2021 TypeFox GmbH",
    "path-browserify 1.0.1 (MIT), Copyright (c) 2013 James Halliday",
    "vscode-jsonrpc 8.2.0, vscode-languageserver-protocol 3.17.5, vscode-languageserver-textdocument 1.0.12 and",
    "vscode-languageserver-types 3.17.5 (MIT), Copyright (c) Microsoft Corporation",
  ]],
  ["mermaid", ["js-yaml 4.3.0 (MIT), Copyright (C) 2011-2015 by Vitaly Puzrin"]],
]);

/** Returns the text for the libraries that esbuild's metafiles name. */
export function licenses(root, metafiles) {
  const folders = new Set();
  for (const { inputs } of metafiles.flatMap(({ outputs }) => Object.values(outputs))) {
    for (const [path, { bytesInOutput }] of Object.entries(inputs)) {
      const found = bytesInOutput > 0 && /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path);
      if (found) folders.add(found[0]);
    }
  }
  const libraries = [...folders].map((folder) => library(join(root, folder))).sort((a, b) => (a.name < b.name ? -1 : 1));
  const named = libraries.map(({ name, text }) => `${name}\n\n${text}`);
  return ["Libraries in this program, and their licences", ...named].join(`\n\n${"-".repeat(80)}\n\n`) + "\n";
}

function library(folder) {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const file = readdirSync(folder).find((one) => /^licen[cs]e(?:\.\w+)?$/i.test(one));
  const own = file ? readFileSync(join(folder, file), "utf8").replaceAll("\r\n", "\n").trim() : "";
  const inside = contained.get(name);
  const text = inside ? `Contains, too:\n${inside.join("\n")}\n\n${own}` : own;
  return { name: `${name} ${version} (${typeof license === "string" ? license : "see below"})`, text };
}
