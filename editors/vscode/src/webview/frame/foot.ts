/** What stands below the list of chats; an editor has its own places for that. */
import type { ComponentType } from "preact";

let foot: ComponentType | undefined;

export const panelFoot = (): ComponentType | undefined => foot;

export function setPanelFoot(component: ComponentType): void {
  foot = component;
}
