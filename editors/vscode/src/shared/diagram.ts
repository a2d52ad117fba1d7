/** Messages between the chat and the frame that draws diagrams. */

/** Colours of a diagram, like the editor's. */
export type Scheme = "light" | "dark" | "contrastLight" | "contrastDark";

export interface DiagramRequest {
  source: string;
  scheme: Scheme;
  /** The chat's CSS font family. */
  font: string;
}

export interface Diagram {
  /** A whole SVG document. */
  svg: string;
  width: number;
  height: number;
  /** Describes the diagram to those who don't see it. */
  label: string;
}

export type DiagramReply = Diagram | { error: string };

export const isDiagram = (reply: DiagramReply): reply is Diagram => "svg" in reply;
