/** Turns a diagram's source into an SVG document. */
import mermaid from "mermaid";
import type { Diagram, DiagramRequest } from "../shared/diagram.js";
import { restyled, takeStyles } from "./allowed.js";
import { themes } from "./themes.js";

/** Characters. */
const longestSource = 20_000;
const longestDrawing = 1_500_000;
const mostEdges = 300;
/** Pixels. */
const largest = 16_000;

/** What a diagram can't change about its own rendering. */
const fixed = [
  "secure", "securityLevel", "startOnLoad", "maxTextSize", "suppressErrorRendering", "maxEdges", "theme", "themeVariables", "themeCSS", "darkMode",
  "fontFamily", "altFontFamily", "htmlLabels", "dompurifyConfig", "logLevel", "legacyMathML", "forceLegacyMathML",
];

let drawn = 0;

export async function draw({ source, scheme, font }: DiagramRequest): Promise<Diagram> {
  if (source.length > longestSource) throw new Error(`The diagram's source is longer than ${longestSource} characters.`);
  takeStyles(); // of a drawing that failed
  mermaid.initialize({
    ...themes[scheme], startOnLoad: false, securityLevel: "strict", suppressErrorRendering: true, htmlLabels: false, flowchart: { htmlLabels: false },
    maxTextSize: longestSource, maxEdges: mostEdges, fontFamily: font, logLevel: "fatal", secure: fixed,
  });
  const { svg } = await mermaid.render(`diagram-${++drawn}`, source);
  return finished(svg);
}

/** Makes a document of a drawing, with a fixed size. */
function finished(drawing: string): Diagram {
  const page = new DOMParser().parseFromString(drawing, "text/html");
  const root = page.querySelector("svg");
  const [, , width = 0, height = 0] = (root?.getAttribute("viewBox") ?? "").split(/[\s,]+/).map(Number);
  if (!root || !(width > 0 && height > 0)) throw new Error("The diagram is empty.");
  if (width > largest || height > largest) throw new Error("The diagram is too large.");
  root.removeAttribute("data-style");
  root.setAttribute("width", String(width));
  root.setAttribute("height", String(height));
  const style = `<style>${takeStyles().replaceAll("&", "&amp;").replaceAll("<", "&lt;")}</style>`;
  const svg = restyled(new XMLSerializer().serializeToString(root)).replace(/>/, () => `>${style}`);
  if (svg.length > longestDrawing) throw new Error("The diagram is too large.");
  return { svg, width, height, label: labelOf(root) };
}

function labelOf(root: SVGSVGElement): string {
  const kind = (root.getAttribute("aria-roledescription") ?? "").replace(/-?v\d+$/, "").slice(0, 40);
  const told = ["title", "desc"].map((name) => root.querySelector(`:scope > ${name}`)?.textContent?.trim() ?? "").filter((text) => text !== "");
  return [kind === "" ? "Diagram" : `Diagram, ${kind}`, ...told].join(": ").slice(0, 500);
}
