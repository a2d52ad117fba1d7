/** Checks what the library made of a formula: it may contain only MathML that does nothing. */
const elements = new Set(
  ("math menclose merror mfrac mi mmultiscripts mn mo mover mpadded mphantom mprescripts mroot mrow ms mspace msqrt mstyle msub msubsup msup " +
    "mtable mtd mtext mtr munder munderover none").split(" "),
);
const attributes = new Set(
  ("accent accentunder class columnspan depth dir display displaystyle fence form height largeop linethickness lspace mathbackground mathcolor " +
    "mathvariant maxsize minsize movablelimits notation rowspan rspace scriptlevel separator stretchy style symmetric voffset width").split(" "),
);
/** Others would let a formula cover what is around it. */
const styles = /^(?:padding|border|text-align|math|display|color|font-size|font-weight|font-style|background-color)/;
const classes = /^(?:(?:tml|chr|wbk|ff)-[a-z0-9-]+|mathcal|mathscr|menclose|upstrike|downstrike|sout)$/;

const mostElements = 5_000;
const deepest = 100;

/** Removes styles and classes that aren't needed, and throws an error for anything else. */
export function assertHarmless(root: Element): void {
  let count = 0;
  const check = (element: Element, depth: number): void => {
    if (++count > mostElements || depth > deepest) throw new Error("The formula is too large.");
    const isMath = element.namespaceURI === "http://www.w3.org/1998/Math/MathML" && elements.has(element.localName);
    const wrong = isMath ? [...element.attributes].find(({ name }) => !attributes.has(name))?.name : element.localName;
    if (wrong !== undefined) throw new Error(`The formula needs ${wrong}, which isn't supported.`);
    const { style, classList } = element as MathMLElement;
    for (const property of [...style]) if (!styles.test(property) || style.getPropertyValue(property).includes("(")) style.removeProperty(property);
    for (const name of [...classList]) if (!classes.test(name)) classList.remove(name);
    for (const child of element.children) check(child, depth + 1);
  };
  for (const child of root.children) check(child, 1);
}
