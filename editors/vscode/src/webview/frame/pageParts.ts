/** What the view has in a page, but not in an editor, which has its own places for it. */
import type { ComponentType } from "preact";

interface PageParts {
  /** The footer of the chat list. */
  foot: ComponentType;
  /** Part of an empty chat: where it starts. */
  start: ComponentType;
  /** The chat list is next to the chat if this media query holds. */
  roomForList: string;
}

let parts: PageParts | undefined;

export const panelFoot = (): ComponentType | undefined => parts?.foot;

export const startPart = (): ComponentType | undefined => parts?.start;

/** Returns the query for showing the chat list next to the chat; undefined if it never is. */
export const roomForList = (): MediaQueryList | undefined => (parts ? matchMedia(parts.roomForList) : undefined);

export function setPageParts(given: PageParts): void {
  parts = given;
}
