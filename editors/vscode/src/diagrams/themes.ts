/** The diagrams' colours in each of the editor's colour schemes. */
import type { MermaidConfig } from "mermaid";
import type { Scheme } from "../shared/diagram.js";

type Theme = Pick<MermaidConfig, "theme" | "darkMode" | "themeVariables" | "themeCSS">;

/** Without HTML labels, the library places some labels of mind maps as if they were centred. */
const centred = '.mindmap-node .label[transform^="translate(0"] text { text-anchor: middle; }';

/** Outlines instead of surfaces. Only where colours tell things apart, they are filled. */
function contrast(ground: string, text: string, palette: readonly string[]): Theme {
  const themeVariables: Record<string, unknown> = {
    background: ground, primaryColor: ground, secondaryColor: ground, tertiaryColor: ground, mainBkg: ground,
    primaryTextColor: text, secondaryTextColor: text, tertiaryTextColor: text, textColor: text, titleColor: text, nodeTextColor: text,
    primaryBorderColor: text, secondaryBorderColor: text, tertiaryBorderColor: text, nodeBorder: text, clusterBorder: text,
    lineColor: text, edgeLabelBackground: ground, noteBkgColor: ground, noteTextColor: text, noteBorderColor: text, rowOdd: ground, rowEven: ground,
    activationBkgColor: ground, activationBorderColor: text,
    xyChart: { plotColorPalette: palette.join(",") },
    pieTitleTextColor: text, pieLegendTextColor: text, pieSectionTextColor: ground, pieStrokeColor: ground, pieOuterStrokeColor: text, pieOpacity: "1",
  };
  for (let i = 0; i < 12; i++) {
    const colour = palette[i % palette.length] ?? text;
    Object.assign(themeVariables, { [`cScale${i}`]: colour, [`cScaleLabel${i}`]: ground, [`cScaleInv${i}`]: text, [`pie${i + 1}`]: colour });
    if (i < 8) Object.assign(themeVariables, { [`git${i}`]: colour, [`gitBranchLabel${i}`]: ground, [`gitInv${i}`]: ground });
  }
  // A timeline's axes have the colour of its labels, which are on filled boxes.
  return { theme: "base", themeVariables, themeCSS: `${centred} .lineWrapper line { stroke: ${text} !important; }` };
}

const bright = ["#ffd700", "#00e5ff", "#ff9ec7", "#9dff6e", "#ffb347", "#c9a6ff", "#ffffff"];
const deep = ["#0b4f9c", "#8a0f3c", "#1b5e20", "#6a1b9a", "#7a4300", "#004d5a", "#000000"];

/** The library's own slices are nearly black on a dark ground. */
const muted = ["#3b6ea5", "#a5566b", "#4a8056", "#7d5fa8", "#9a6b34", "#377c86"];
const slices = Object.fromEntries(Array.from({ length: 12 }, (_, i) => [`pie${i + 1}`, muted[i % muted.length]]));

export const themes: Record<Scheme, Theme> = {
  light: { theme: "default", themeCSS: centred },
  dark: { theme: "dark", darkMode: true, themeVariables: { ...slices, pieSectionTextColor: "#ffffff", pieOpacity: "1" }, themeCSS: centred },
  contrastLight: contrast("#ffffff", "#000000", deep),
  // Not darkMode, which changes the palette.
  contrastDark: contrast("#000000", "#ffffff", bright),
};
