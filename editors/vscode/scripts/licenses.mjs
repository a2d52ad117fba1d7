// Lists the libraries in a bundle, with their licences.

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

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
  const text = file ? readFileSync(join(folder, file), "utf8").replaceAll("\r\n", "\n").trim() : "";
  return { name: `${name} ${version} (${typeof license === "string" ? license : license?.type ?? "see below"})`, text };
}
