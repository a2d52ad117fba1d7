/**
 * The last gate before the page: anything not on these lists is dropped,
 * whatever the earlier steps produced.
 */
import DOMPurify from "dompurify";
import { isPicture, linkTarget } from "./links.js";

const tags = [
  "a", "blockquote", "br", "code", "del", "em", "h1", "h2", "h3", "h4", "h5", "h6", "hr", "img", "li", "ol", "p", "pre",
  "s", "span", "strong", "table", "tbody", "td", "th", "thead", "tr", "ul",
];
const attributes = ["alt", "class", "data-href", "data-language", "role", "src", "start", "tabindex", "title"];
const classes = /^(?:hljs-[\w-]+|[a-z]+_|align-(?:left|center|right)|language-[\w+#.-]+|task|done|tex|display|diagram)$/;

DOMPurify.addHook("uponSanitizeAttribute", (element, attribute) => {
  const value = attribute.attrValue;
  switch (attribute.attrName) {
    case "class":
      attribute.keepAttr = value.split(/\s+/).every((name) => classes.test(name));
      break;
    case "src":
      attribute.keepAttr = element.localName === "img" && isPicture(value);
      break;
    case "data-href":
      attribute.keepAttr = element.localName === "a" && linkTarget(value) !== undefined;
      break;
    case "role":
      attribute.keepAttr = element.localName === "a" && value === "link";
      break;
    case "tabindex":
      attribute.keepAttr = element.localName === "a" && value === "0";
      break;
  }
});

export function sanitised(html: string): DocumentFragment {
  return DOMPurify.sanitize(html, {
    ALLOWED_TAGS: tags,
    ALLOWED_ATTR: attributes,
    // Stop the library from treating it as an address: `main.go:12` looks like
    // one with a scheme.
    ADD_URI_SAFE_ATTR: ["data-href"],
    ALLOW_DATA_ATTR: false,
    ALLOW_ARIA_ATTR: false,
    RETURN_DOM_FRAGMENT: true,
  });
}
