/**
 * Lets the library work under the chat's policy, which forbids inline styles and
 * HTML from strings: styles are set through the object model instead, and HTML is
 * declared as trusted. That is safe only here: the frame is isolated, and the
 * policy still forbids every script except the frame's own.
 */
interface Policies {
  createPolicy(name: string, rules: { createHTML(text: string): string }): { createHTML(text: string): string };
}

const policy = (globalThis as { trustedTypes?: Policies }).trustedTypes?.createPolicy("turnwire-diagrams", { createHTML: (text) => text });

/**
 * Returns HTML in which style attributes have another name, so that parsing it doesn't
 * violate the policy. {@link restyled} undoes it.
 */
const parsable = (html: string): string => {
  const renamed = html.replaceAll(' style="', ' data-style="');
  return policy?.createHTML(renamed) ?? renamed;
};

export const restyled = (html: string): string => html.replaceAll(' data-style="', ' style="');

const { parseFromString } = DOMParser.prototype;
DOMParser.prototype.parseFromString = function (this: DOMParser, html: string, type: DOMParserSupportedType) {
  return parseFromString.call(this, parsable(String(html)), type);
};

const innerHTML = Object.getOwnPropertyDescriptor(Element.prototype, "innerHTML");
Object.defineProperty(Element.prototype, "innerHTML", {
  ...innerHTML,
  set(this: Element, html: unknown) {
    innerHTML?.set?.call(this, parsable(String(html)));
    for (const element of this.querySelectorAll<HTMLElement | SVGElement>("[data-style]")) {
      element.style.cssText = element.dataset["style"] ?? "";
      element.removeAttribute("data-style");
    }
  },
});

const { setAttribute } = Element.prototype;
Element.prototype.setAttribute = function (this: Element, name: string, value: string) {
  if (name === "style" && "style" in this) (this as SVGElement).style.cssText = value;
  else setAttribute.call(this, name, value);
};

let styles: string[] = [];

/** Style sheets must apply while texts are measured, but their elements are forbidden. */
const { insertBefore } = Node.prototype;
Node.prototype.insertBefore = function <T extends Node>(this: Node, node: T, before: Node | null): T {
  if (!(node instanceof HTMLStyleElement)) return insertBefore.call(this, node, before) as T;
  styles.push(node.textContent ?? "");
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(node.textContent ?? "");
  document.adoptedStyleSheets.push(sheet);
  return node;
};

/** Returns the style sheets since the last call, which no longer apply. */
export function takeStyles(): string {
  document.adoptedStyleSheets = [];
  const all = styles.join("\n");
  styles = [];
  return all;
}
