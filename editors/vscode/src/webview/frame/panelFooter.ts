/** The footer of the chat list; editors have their own places for its content. */
import type { ComponentType } from "preact";

let foot: ComponentType | undefined;

export const panelFoot = (): ComponentType | undefined => foot;

export function setPanelFoot(component: ComponentType): void {
  foot = component;
}
