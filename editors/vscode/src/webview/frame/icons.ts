/** The view's own icons, on a grid of 16 by 16, in lines of the text's colour. */

const drawings = {
  add: "M8 3.5v9M3.5 8h9",
  agent: "M3.5 6.5h9v6h-9zM8 6.5V3.8M8 2.6v1.2M6 9v1M10 9v1M1.8 8.8v2M14.2 8.8v2",
  at: "M10.4 8a2.4 2.4 0 1 1-4.8 0 2.4 2.4 0 0 1 4.8 0zM10.4 5.6V9c0 1 .7 1.7 1.6 1.7 1 0 1.7-1 1.7-2.7A5.7 5.7 0 1 0 8 13.7c1.1 0 2.1-.3 3-.8",
  barred: "M13.5 8a5.5 5.5 0 1 1-11 0 5.5 5.5 0 0 1 11 0zM4.1 4.1l7.8 7.8",
  bolt: "M9 2 4 9h3.6L7 14l5-7H8.4z",
  arrowDown: "M8 3v10M4 9.2 8 13l4-3.8",
  arrowUp: "M8 13V3M4 6.8 8 3l4 3.8",
  box: "M3 3h10v10H3z",
  boxChecked: "M3 3h10v10H3zM5.3 8.2l2 2 3.6-4.3",
  check: "M3.2 8.5 6.5 11.8 12.8 4.8",
  chevron: "M6 3.8 10.2 8 6 12.2",
  circle: "M13 8A5 5 0 1 1 3 8a5 5 0 0 1 10 0z",
  close: "M4 4l8 8M12 4l-8 8",
  cloud: "M4.6 12.5h6.8a2.6 2.6 0 0 0 .4-5.2 3.9 3.9 0 0 0-7.5.7 2.3 2.3 0 0 0 .3 4.5z",
  copy: "M5.5 5.5h7v8h-7zM10.5 5.5v-3h-7v8h2",
  cross: "M13.5 8a5.5 5.5 0 1 1-11 0 5.5 5.5 0 0 1 11 0zM6 6l4 4M10 6l-4 4",
  diff: "M8 2.5v6M5 5.5h6M5 12.5h6",
  edit: "M3 13l.7-3L10.8 2.9l2.3 2.3L6 12.3zM9.3 4.4l2.3 2.3",
  error: "M13.5 8a5.5 5.5 0 1 1-11 0 5.5 5.5 0 0 1 11 0zM8 5v3.7M8 10.7v.3",
  file: "M4 2.5h5l3 3v8H4zM9 2.5v3h3",
  gear: "M3 5h6M12 5h1M3 11h1M7 11h6M10.5 3.5v3M5.5 9.5v3",
  history: "M3 4v3h3M3.3 7A5.2 5.2 0 1 1 3 9.5M8 5.5V8.5l2.2 1.3",
  info: "M13.5 8a5.5 5.5 0 1 1-11 0 5.5 5.5 0 0 1 11 0zM8 7.5v3.5M8 5v.3",
  insert: "M13 3v4.5H4M7 4.5 4 7.5l3 3M3 13h10",
  key: "M9.5 6.5a3 3 0 1 1-6 0 3 3 0 0 1 6 0zM8.7 8.7l4.8 4.8M11 11l1.8-1.8M12.6 12.6l1.4-1.4",
  keyboard: "M1.5 4.5h13v7.5h-13zM4 7v.2M6.7 7v.2M9.3 7v.2M12 7v.2M5 9.7h6",
  move: "M2.5 8h10M9 4.5 12.5 8 9 11.5",
  picture: "M2.5 3.5h11v9h-11zM2.5 10.5l3-3 3 3 2-2 3 3M10.5 6v.2",
  plan: "M6.5 4h7M6.5 8h7M6.5 12h7M2.5 4l.8.8 1.4-1.6M2.5 8l.8.8 1.4-1.6M2.7 12h1.4",
  queue: "M2.5 4h8M2.5 8h8M2.5 12h4M11.5 10v5M9 12.5h5",
  question: "M13.5 8a5.5 5.5 0 1 1-11 0 5.5 5.5 0 0 1 11 0zM6.3 6.5C6.3 5.5 7 5 8 5s1.7.6 1.7 1.5C9.7 7.7 8 7.7 8 9M8 10.9v.2",
  rename: "M3 13h10M4 10.5l.5-2L10 3l1.5 1.5L6 10z",
  retry: "M13 4v3h-3M12.7 7A5.2 5.2 0 1 0 13 9.5",
  search: "M11 7a4 4 0 1 1-8 0 4 4 0 0 1 8 0zM10 10l3.5 3.5",
  selection: "M3 4h10M3 7h6M3 10h10M3 13h5",
  send: "M2.8 3l10.7 5L2.8 13l1.7-5zM4.5 8h4.5",
  slash: "M2.5 2.5h11v11h-11zM9.5 5l-3 6",
  stop: "M4.5 4.5h7v7h-7z",
  switch: "M3 5.5h9M9.5 3l2.5 2.5L9.5 8M13 10.5H4M6.5 8 4 10.5 6.5 13",
  terminal: "M2.5 3h11v10h-11zM5 6l2 2-2 2M8.5 10H11",
  think: "M5.8 11.2C4.5 10.4 3.8 9 3.8 7.5a4.2 4.2 0 0 1 8.4 0c0 1.5-.7 2.9-2 3.7zM6.3 13.5h3.4M6 11.2h4",
  tool: "M9.5 6.5 3 13M13.3 4.7l-2 2-2-2 2-2A3.2 3.2 0 0 0 7.5 7l1.5 1.5a3.2 3.2 0 0 0 4.3-3.8z",
  trash: "M3 4.5h10M6.5 4.5v-2h3v2M4.3 4.5l.7 9h6l.7-9M6.8 7v4M9.2 7v4",
  undo: "M6 3.5 2.8 6.7 6 9.9M2.8 6.7h6.4a3.6 3.6 0 0 1 0 7.2H6",
  warning: "M8 2.8 14 13.2H2zM8 6.5v3.2M8 11.3v.3",
} as const;

export type IconName = keyof typeof drawings;

const namespace = "http://www.w3.org/2000/svg";

/** Decoration only: everything with an icon also has a label. */
export function icon(name: IconName): SVGSVGElement {
  const svg = document.createElementNS(namespace, "svg");
  svg.setAttribute("class", "icon");
  svg.setAttribute("viewBox", "0 0 16 16");
  svg.setAttribute("aria-hidden", "true");
  const path = document.createElementNS(namespace, "path");
  path.setAttribute("d", drawings[name]);
  svg.append(path);
  return svg;
}

export function drawing(name: IconName): string {
  return drawings[name];
}
