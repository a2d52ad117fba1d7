/** Formulas and diagrams in answers. */
import assert from "node:assert/strict";
import { after, test } from "node:test";
import type { Frame } from "playwright-core";
import { leaveBrowser } from "../browser.js";
import { patience } from "../patience.js";
import { assertAccessible, loadAxe } from "./axe.js";
import { chat } from "./chats.js";
import { themes, type ThemeName } from "./themes.js";
import { ownFiles, View } from "./view.js";

after(leaveBrowser);

const fence = "```";
const diagram = (source: string): string => `${fence}mermaid\n${source}\n${fence}`;
const says = (text: string) => chat([{ type: "message", id: "m", text, blocks: [] }]);
const image = ".agent .diagram-view img";

const formulas = "The energy is $E = mc^2$, and \\(a_i\\) is $5 or $6.\n\n$$\\sum_{i=1}^n \\frac{1}{i^2} = \\frac{\\pi^2}{6}$$\n\n" +
  "$$\n\\begin{pmatrix} 1 & x_2 & \\cdots \\\\ 3 & \\hat{y} & \\sqrt{z} \\end{pmatrix}\n$$";
const flow = diagram("flowchart LR\n  A[Browser] -->|prompt| B(Turnwire)\n  B --> C{Agent?}\n  C -->|yes| D[Claude]\n  C -->|no| E[Script]");
const wide = diagram(`flowchart LR\n  ${Array.from({ length: 20 }, (_, i) => `n${i}[Step ${i}]`).join(" --> ")}`);

/** Checks that nothing but the view's own files was loaded, and that nothing tried to do more. */
async function assertClean(view: View, ...parts: string[]): Promise<void> {
  assert.deepEqual(view.requests.slice().sort(), [...ownFiles, ...parts.map((part) => `https://view.invalid/${part}.js`)].sort());
  assert.deepEqual(view.errors, []);
  assert.deepEqual(await view.violations(), []);
  assert.equal(await view.page.evaluate(() => "pwned" in window), false);
  assert.ok((await view.all()).every(({ type }) => type !== "failed"));
}

test("text without formulas and diagrams loads nothing for them", async () => {
  const view = await View.open();
  await view.post(says("It costs $5 or $6.\n\n```mermaid\nflowchart LR"));
  assert.equal(await view.page.locator(".code pre").innerText(), "flowchart LR");
  await assertClean(view);
  await view.close();
});

test("a formula is MathML, a broken one is its source", async () => {
  const view = await View.open();
  await view.post(says(`${formulas}\n\nBroken: $\\frac{a$ and $\\href{javascript:pwned=1}{x}$, code: \`$a$\``));
  await view.page.locator("code[title]").nth(1).waitFor();
  assert.equal(await view.page.locator(".agent math").count(), 4);
  assert.equal(await view.page.locator(".agent math").first().textContent(), "E=mc2");
  assert.deepEqual(await view.page.locator(".agent code").allInnerTexts(), ["$\\frac{a$", "$\\href{javascript:pwned=1}{x}$", "$a$"]);
  assert.match(await view.page.locator(".agent code").first().getAttribute("title") ?? "", /Expected|expected/);
  assert.match(await view.page.locator(".agent").innerText(), /is \$5 or \$6\./);
  const padding = await view.page.locator(".agent mtd").nth(1).evaluate((cell) => cell.style.paddingLeft);
  assert.notEqual(padding, "", "styles are set");
  await loadAxe(view);
  await assertAccessible(view, "formulas");
  await assertClean(view, "maths");
  await view.close();
});

test("no formula does anything, grows out of bounds or covers what is around it", async () => {
  const view = await View.open();
  const sources = [
    "\\includegraphics{https://evil.invalid/x.png}", "\\class{prompt}{x}", "\\style{position:fixed}{x}", "\\def\\a{\\a\\a}\\a", "\\newcommand{\\b}{x}\\b", "{".repeat(900) + "}".repeat(900),
    "\\sqrt{".repeat(150) + "x" + "}".repeat(150), "\\text{<img src=x onerror=pwned=1>}", "\\raisebox{20em}{up} \\kern-20em x", "\\rule{900em}{900em}", "\\htmlData{a=b}{c}", "\\color{url(https://evil.invalid)}{x}",
  ];
  await view.post(says(`${sources.map((source) => `$${source}$`).join("\n\n")}\n\nLast: $e^x$`));
  await view.page.locator(".agent math").last().getByText("e").waitFor();
  await view.page.waitForFunction(() => document.querySelectorAll(".agent code.tex:not([title])").length === 0);
  assert.equal(await view.page.locator(".agent :is(img, a, script, style, iframe)").count(), 0);
  for (const formula of await view.page.locator(".agent .formula").all()) {
    const { height } = (await formula.boundingBox())!;
    assert.ok(height < 800, await formula.innerHTML());
    assert.notEqual(await formula.evaluate((element) => getComputedStyle(element).overflowX), "visible");
  }
  await assertClean(view, "maths");
  await view.close();
});

test("code becomes a diagram when its fence is closed, and stays one while more text arrives", async () => {
  const view = await View.open();
  await view.post(chat([{ type: "message", id: "m", text: "", blocks: [] }], { status: "running" }));
  let revision = 1;
  const stream = async (text: string) => {
    for (const piece of text.match(/[^]{1,9}/g) ?? []) await view.post({ type: "changes", revision: ++revision, changes: [{ type: "text", id: "m", text: piece }] });
  };
  const source = "1. x\n\n   ```mermaid\n   flowchart LR\n     A --> B";
  await stream(source);
  assert.match(await view.page.locator(".agent pre").innerText(), /A --> B/);
  assert.equal(view.requests.length, ownFiles.length);
  await stream("\n   ```\n");
  await view.page.locator(image).waitFor();
  assert.ok(await view.page.locator(".agent pre").isHidden());
  for (const piece of ["   more ", "text, ", "$x$ and\n", "2. y"]) {
    await stream(piece);
    // It isn't drawn again, so it is never absent.
    assert.equal(await view.page.locator(image).count(), 1);
  }
  await view.page.locator(".agent math").waitFor();
  await assertClean(view, "diagrams", "maths");
  await view.close();
});

test("a diagram is an image with its source, which opens whole", async () => {
  const view = await View.open();
  await view.post(says(`${wide}\n\n${flow}`));
  await view.page.locator(image).nth(1).waitFor();
  const small = (await view.page.locator(image).first().boundingBox())!;
  assert.ok(small.width <= 420);
  assert.match(await view.page.locator(image).first().getAttribute("alt") ?? "", /^Diagram, flowchart/);
  const show = view.page.getByRole("button", { name: "Show source" }).first();
  await show.click();
  assert.match(await view.page.locator(".agent pre").first().innerText(), /n3\[Step 3\]/);
  await show.click();
  assert.ok(await view.page.locator(".agent pre").first().isHidden());
  await view.page.getByRole("button", { name: "Copy" }).first().click();
  assert.match((await view.sent("copy")).text, /^flowchart LR\n {2}n0/);

  const open = view.page.locator(".diagram-view").first();
  await open.focus();
  await view.page.keyboard.press("Enter");
  const whole = view.page.locator("dialog img");
  await whole.waitFor();
  const large = (await whole.boundingBox())!;
  assert.ok(large.width > 2 * small.width, `${large.width} of ${small.width}`);
  await loadAxe(view);
  await assertAccessible(view, "a diagram");
  await view.screenshot("drawings/whole");
  await view.page.keyboard.press("Escape");
  await whole.waitFor({ state: "detached" });
  assert.ok(await open.evaluate((element) => element === document.activeElement));
  await assertClean(view, "diagrams");
  await view.close();
});

test("a diagram that was drawn before is there at once, and as tall", async () => {
  const view = await View.open();
  await view.post(says(flow));
  await view.page.locator(image).waitFor();
  await view.frames();
  const { height } = (await view.page.locator(image).boundingBox())!;
  await view.post(says("Another text."));
  await view.page.evaluate(() => document.querySelector("iframe")?.remove());
  const shown = view.page.evaluate(() => new Promise<number>((resolve) => {
    new MutationObserver(() => {
      const image = document.querySelector(".agent .diagram-view img");
      if (image) resolve(image.getBoundingClientRect().height);
    }).observe(document.body, { childList: true, subtree: true });
  }));
  await view.post(says(flow));
  assert.equal(await shown, height);
  await view.close();
});

test("a broken diagram is shown as code, with the reason", async () => {
  const view = await View.open();
  await view.post(says(`${diagram("flowchart LR\n  A --> --> B")}\n\n${diagram("poetry")}\n\n${diagram("")}\n\n${flow}`));
  await view.page.locator(image).waitFor();
  assert.deepEqual(await view.page.locator(".diagram-fault").allInnerTexts(), [
    "No diagram: Parse error on line 2: unexpected 'LINK'",
    "No diagram: No diagram type detected matching given configuration for text: poetry",
    "No diagram: No diagram type detected matching given configuration for text:",
  ]);
  assert.match(await view.page.locator(".agent pre").first().innerText(), /A --> --> B/);
  await loadAxe(view);
  await assertAccessible(view, "broken diagrams");
  await view.screenshot("drawings/broken");
  await assertClean(view, "diagrams");
  await view.close();
});

const evil = "https://evil.invalid";
const hostile = [
  `flowchart LR\n  A["<script>pwned=1</script><img src=${evil}/x.png onerror=pwned=1>"] --> B`,
  `%%{init: {"securityLevel": "loose", "htmlLabels": true, "flowchart": {"htmlLabels": true}}}%%\nflowchart LR\n  A["<img src=x onerror='parent.pwned=1'>"] --> B\n  click A href "javascript:parent.pwned=1"\n  click B call pwned()`,
  `%%{init: {"themeCSS": "@import url(${evil}/x.css); * { background: url(${evil}/y.png) }", "fontFamily": "x; } * { background: url(${evil}/z.png) }"}}%%\nflowchart LR\n  A --> B`,
  `---\nconfig:\n  secure: []\n  securityLevel: loose\n  theme: base\n  themeVariables:\n    primaryColor: "url(${evil}/c.png)"\n---\nflowchart LR\n  A@{ img: "${evil}/i.png", label: "x" } --> B`,
  `sequenceDiagram\n  participant A\n  link A: Out @ javascript:parent.pwned=1\n  links A: {"x": "${evil}"}\n  A->>A: <iframe srcdoc="<script>top.pwned=1</script>">`,
  `classDiagram\n  class A\n  link A "javascript:parent.pwned=1"\n  callback A "pwned"\n  A : +x~<svg onload=parent.pwned=1>~`,
  `gantt\n  dateFormat YYYY-MM-DD\n  tickInterval 1millisecond\n  section s\n  a :a1, 0001-01-01, 9999-12-31`,
  `flowchart LR\n  ${Array.from({ length: 400 }, (_, i) => `a${i}-->b${i}`).join("\n  ")}`,
  `flowchart LR\n  style A fill:url(${evil}/f.png),background:url(${evil}/g.png)\n  A --> B\n  linkStyle 0 stroke:red;}*{background:url(${evil}/h.png)}`,
  `mindmap\n  root((<b onclick=parent.pwned=1>x</b>))\n    ::icon(fa fa-book)\n    \`**md** [a](javascript:parent.pwned=1)\``,
  `__proto__`, `flowchart LR\n  constructor --> __proto__ --> toString`,
];

test("no diagram runs, loads or restyles anything", async () => {
  const view = await View.open();
  for (const source of hostile) {
    await view.post(says(diagram(source)));
    await view.page.locator(`${image}, .diagram-fault`).waitFor();
    for (const [name] of await view.page.locator(".agent :is(img, a, script, style, iframe, svg *)").evaluateAll((all) => all.map((one) => [one.localName]))) assert.ok(["img", "path"].includes(name ?? ""), `<${name}> from ${source}`);
    const pictures = await view.page.locator(image).all();
    for (const picture of pictures) {
      assert.match(await picture.getAttribute("src") ?? "", /^data:image\/svg\+xml,/);
      await picture.evaluate((one: HTMLImageElement) => one.decode());
      await picture.click();
      await view.page.keyboard.press("Escape");
    }
    assert.equal(await view.page.evaluate(() => "pwned" in window), false, source);
    assert.deepEqual(view.foreign, [], source);
    assert.ok((await view.all()).every(({ type }) => type === "ready"), source);
  }
  await view.close();
});

/** The frame that draws. */
async function drawer(view: View): Promise<Frame> {
  const found = view.page.frames().find((one) => one.parentFrame() !== null);
  assert.ok(found);
  return found;
}

test("the frame that draws reaches neither the chat nor the network, and can't speak for the host", async () => {
  const view = await View.open();
  await view.post(says(flow));
  await view.page.locator(image).waitFor();
  const frame = await drawer(view);
  assert.equal(await frame.evaluate(() => origin), "null");
  const tried = await frame.evaluate(async (evil) => {
    const attempts: Record<string, () => unknown> = {
      document: () => parent.document.title,
      storage: () => localStorage.length,
      fetch: () => fetch(evil),
      script: () => new Promise((resolve, reject) => document.body.append(Object.assign(document.createElement("script"), { onload: resolve, onerror: reject, src: evil }))),
    };
    const reached: string[] = [];
    for (const [name, attempt] of Object.entries(attempts)) await Promise.resolve().then(attempt).then(() => reached.push(name), () => undefined);
    parent.postMessage({ type: "notice", text: "pwned" }, "*");
    parent.postMessage({ type: "sessions", sessions: [], first: true, last: true }, "*");
    parent.postMessage({ type: "changes", revision: 2, changes: [{ type: "text", id: "m", text: "forged" }] }, "*");
    return reached;
  }, evil);
  assert.deepEqual(tried, []);
  await view.frames();
  assert.ok(!(await view.page.locator(".agent").innerText()).includes("forged"));
  assert.deepEqual(view.foreign, []);
  await view.close();
});

test("the chat goes on while a drawing hangs, which ends after a while", async () => {
  const view = await View.open();
  await view.post(says(flow));
  await view.page.locator(image).waitFor();
  // The time limit is over as soon as the test wants.
  await view.page.evaluate(() => {
    const later = window.setTimeout;
    const limits: TimerHandler[] = [];
    Object.assign(window, {
      setTimeout: (run: TimerHandler, milliseconds = 0) => (milliseconds === 10_000 ? limits.push(run) : later(run, milliseconds)),
      endDrawing: () => limits.forEach((run) => (run as () => void)()),
    });
  });
  const frame = await drawer(view);
  await frame.evaluate(() => void setTimeout(() => { for (;;); }));
  await view.post(says(wide));
  await view.page.locator(".prompt textarea").pressSequentially("still here");
  assert.equal(await view.page.locator(".prompt textarea").inputValue(), "still here");
  assert.match(await view.page.locator(".agent pre").innerText(), /Step 19/);
  await view.page.evaluate(() => (window as unknown as { endDrawing(): void }).endDrawing());
  assert.equal(await view.page.locator(".diagram-fault").innerText(), "No diagram: It took too long to draw.");
  // The next diagram gets a new frame.
  await view.post(says(diagram("pie\n  \"a\" : 1")));
  await view.page.locator(image).waitFor();
  await view.close();
});

test("diagrams have the theme's colours, also when it changes", async () => {
  for (const theme of Object.keys(themes) as ThemeName[]) {
    const view = await View.open({ theme, height: 1100 });
    await view.post(says(`${formulas}\n\n${flow}\n\n${diagram('pie title Pets\n  "Dogs" : 386\n  "Cats" : 85')}\n\n${diagram("flowchart LR\n  A --> --> B")}`));
    await view.page.locator(image).nth(1).waitFor();
    await view.page.locator(".agent math").nth(3).waitFor();
    await view.screenshot(`drawings/${theme}`);
    await view.close();
  }
  const view = await View.open({ theme: "light" });
  await view.post(says(flow));
  await view.page.locator(image).waitFor();
  const source = () => view.page.locator(image).evaluate((one: HTMLImageElement) => one.src);
  const light = await source();
  await view.page.evaluate(() => (document.body.className = "vscode-dark"));
  await view.page.waitForFunction((before) => {
    const now = document.querySelector<HTMLImageElement>(".agent .diagram-view img");
    return now !== null && now.src !== before;
  }, light, { timeout: patience });
  await view.close();
});

test("a view of 320 pixels shows formulas and diagrams within its width", async () => {
  const view = await View.open({ width: 320, height: 900 });
  await view.post(says(`$${Array.from({ length: 30 }, (_, i) => `x_{${i}}`).join(" + ")}$\n\n$$${Array.from({ length: 30 }, (_, i) => `x_{${i}}`).join(" + ")}$$\n\n${wide}`));
  await view.page.locator(image).waitFor();
  await view.page.locator(".agent math").nth(1).waitFor();
  const log = await view.page.locator(".log").evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth);
  assert.equal(log, 0);
  await loadAxe(view);
  await assertAccessible(view, "a narrow view");
  await view.screenshot("drawings/320");
  await view.close();
});
