/** Whatever an agent sends stays text. */
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { corpus, hostileChat } from "./hostile.js";
import { chat, tool } from "./chats.js";
import { randomMarkdown } from "./randomMarkdown.js";
import { leaveBrowser } from "../browser.js";
import { ownFiles, pagePolicy, View } from "./view.js";

after(leaveBrowser);

/** All elements the view may contain. */
const elements = new Set(
  ("html head meta title link script body div span p a b br hr h1 h2 h3 h4 h5 h6 ul ol li dl dt dd pre code em strong s del blockquote " +
    "table thead tbody tr th td img figure figcaption header main section article form fieldset legend label input select option textarea " +
    "button progress kbd bdi svg path circle").split(" "),
);
const attributes =
  /^(?:aria-[a-z]+|role|class|id|for|name|type|value|placeholder|title|alt|dir|lang|rows|tabindex|checked|disabled|required|step|max|start|data-(?:chunk|id|href|language|action|asks)|viewBox|d|cx|cy|r|pathLength|stroke-dasharray)$/;
/** The styles that the view's own layout sets. */
const styles = /^(?:(?:max-)?height: [\d.]+px|max-width: min\(100%, max\([\dch%, -]+\)\)|height: auto|transform: translateY\([\d.]+px\)|(?:background-)?color: rgb\(\d+, \d+, \d+\)|; ?| )*;?$/;

interface Found {
  tag: string;
  name: string;
  value: string;
}

async function everythingIn(view: View): Promise<Found[]> {
  return view.page.evaluate(() =>
    [...document.querySelectorAll("body, body *")].flatMap((element) => [
      { tag: element.localName, name: "", value: "" },
      ...[...element.attributes].map(({ name, value }) => ({ tag: element.localName, name, value })),
    ]),
  );
}

async function assertInert(view: View, text: string): Promise<void> {
  for (const { tag, name, value } of await everythingIn(view)) {
    const where = `<${tag} ${name}="${value}"> from ${JSON.stringify(text)}`;
    assert.ok(elements.has(tag), where);
    if (name === "" || (tag === "script" && (name === "nonce" || value.startsWith("https://view.invalid/")))) continue;
    if (name === "src") assert.match(value, /^data:image\/(?:png|jpeg|gif|webp);base64,[A-Za-z0-9+/=]+$/, where);
    else if (name === "style") assert.match(value, styles, where);
    else assert.match(name, attributes, where);
  }
  assert.equal(await view.page.evaluate(() => "pwned" in window), false, `ran: ${text}`);
  assert.deepEqual(await view.violations(), [], `was stopped by the policy only: ${text}`);
  assert.deepEqual(view.errors, [], text);
  assert.deepEqual([...view.requests].sort(), ownFiles, text);
}

/**
 * Opens everything that can be opened, and clicks everything that looks like a
 * link.
 */
async function touchEverything(view: View): Promise<void> {
  await view.page.evaluate(() => {
    for (const closed of document.querySelectorAll<HTMLElement>('.log [aria-expanded="false"]')) closed.click();
  });
  await view.frames();
  await view.page.evaluate(() => {
    for (const link of document.querySelectorAll<HTMLElement>(".log a, .log .link, .log .chip")) {
      link.click();
      link.dispatchEvent(new MouseEvent("auxclick", { bubbles: true, button: 1, cancelable: true }));
    }
  });
  await view.page.getByRole("button", { name: "Chats" }).click();
  await view.page.keyboard.press("Escape");
  await view.page.locator(".prompt textarea").fill("/");
  await view.page.locator(".prompt textarea").fill("");
  await view.page.locator(".prompt-bar .picker-button").first().click();
  await view.frames();
}

test("nothing that an agent says becomes more than text, wherever it stands", async () => {
  const view = await View.open();
  for (const [n, text] of corpus.entries()) {
    await view.post(...hostileChat(text, n));
    await touchEverything(view);
    await assertInert(view, text);
    await view.page.keyboard.press("Escape");
    for (const message of await view.all()) {
      if (message.type === "openLink") assert.match(message.href, /^(?:https?:\/\/[^@]+|mailto:[^@]+@[^@]+)$/, text);
      else assert.ok(["ready", "openFile", "listSessions", "findFiles"].includes(message.type), `${message.type} from ${text}`);
      if (message.type === "openFile") assert.doesNotMatch(message.path, /^\s*(?:javascript|data|command|vbscript|vscode|blob):/i, text);
    }
    await view.forget();
  }
  await view.close();
});

test("the same texts stay text while they stream in, in arbitrary pieces", async () => {
  const view = await View.open();
  for (const text of corpus) {
    const running = tool({ id: "t", status: "in_progress", content: [{ type: "text", text: "", markdown: true }, { type: "terminal", terminalId: "x", text: "" }] });
    await view.post(chat([{ type: "message", id: "m", text: "", blocks: [] }, running]));
    await view.page.evaluate(async (whole) => {
      for (let i = 0, revision = 2; i < whole.length; i += 7, revision++) {
        const part = whole.slice(i, i + 7);
        const changes = [{ type: "text", id: "m", text: part }, { type: "output", id: "t", index: 0, text: part }, { type: "output", id: "t", index: 1, text: part }];
        window.postMessage({ type: "changes", revision, changes }, "*");
        await new Promise(requestAnimationFrame);
      }
    }, text.slice(0, 400));
    await view.frames();
    await assertInert(view, text);
  }
  await view.close();
});

test("random Markdown becomes only text, too", async () => {
  const view = await View.open();
  for (let seed = 1; seed <= 60; seed++) {
    const { text } = randomMarkdown(seed);
    await view.post(chat([{ type: "message", id: "m", text, blocks: [] }]));
    await view.frames();
    await assertInert(view, `seed ${seed}: ${text}`);
  }
  await view.close();
});

test("hidden characters are escaped, and nothing reverses the text around them", async () => {
  const view = await View.open();
  const sly = "rm \u202Egnp.exe\u202C \u200bx";
  await view.post(chat([
    { type: "message", id: "m", text: sly, blocks: [] },
    tool({ id: "t", title: sly, kind: "execute", input: JSON.stringify({ command: sly }), content: [{ type: "text", text: sly, markdown: false }], status: "failed" }),
  ]));
  for (const place of [".agent .markdown", ".card-title", ".command", ".output"]) {
    const shown = await view.page.locator(place).innerText();
    assert.match(shown.replace(/\s+/g, " "), /rm ‹U\+202E›gnp\.exe‹U\+202C› ‹U\+200B›x/, place);
  }
  await view.close();
});

test("a terminal's colours are shown, and other escapes are not", async () => {
  const view = await View.open();
  const text = "\u001b[1;31mred\u001b[0m \u001b[38;2;10;20;30mown\u001b[0m\u001b[2J\u001b]0;title\u0007\u001b]8;;https://evil.invalid\u001b\\link\u001b]8;;\u001b\\ \u001b[8mseen\u001b[28m";
  await view.post(chat([tool({ id: "t", status: "failed", content: [{ type: "terminal", terminalId: "x", text }] })]));
  const row = view.page.locator(".output .row");
  assert.equal(await row.innerText(), "red ownlink seen");
  assert.equal(await row.locator(".ansi-red.ansi-bold").innerText(), "red");
  assert.equal(await row.locator("span", { hasText: "own" }).evaluate((element) => getComputedStyle(element).color), "rgb(10, 20, 30)");
  await view.close();
});

test("links lead nowhere by themselves: the host is told which one was chosen", async () => {
  const view = await View.open();
  await view.post(chat([{ type: "message", id: "m", blocks: [], text: "[site](https://example.org/a?b=c) [code](src/main.go:12) [mail](mailto:a@example.org) https://example.org/bare [place](main.go:7)" }]));
  const links = view.page.locator(".agent a");
  assert.equal(await view.page.locator("[href]:not(link)").count(), 0);
  await links.nth(0).click();
  assert.equal((await view.sent("openLink")).href, "https://example.org/a?b=c");
  await links.nth(1).focus();
  await view.page.keyboard.press("Enter");
  assert.deepEqual(await view.sent("openFile"), { type: "openFile", path: "src/main.go", line: 12 });
  await links.nth(3).click();
  assert.equal((await view.sent("openLink")).href, "https://example.org/bare");
  await links.nth(4).click();
  await view.page.waitForFunction(() => window.sentToHost.some((message) => message.type === "openFile" && message.path === "main.go" && message.line === 7));
  assert.deepEqual([...view.requests].sort(), ownFiles);
  await view.close();
});

test("the page's policy allows no inline code, no network and no foreign pictures", async () => {
  assert.doesNotMatch(pagePolicy, /unsafe|\*|https?:(?!\/\/view\.invalid)/);
  const view = await View.open();
  const stopped = await view.page.evaluate(async () => {
    const refused: string[] = [];
    await fetch("https://evil.invalid/").catch(() => refused.push("fetch"));
    const picture = new Image();
    await new Promise((done) => {
      picture.onerror = () => done(refused.push("picture"));
      picture.src = "https://evil.invalid/x.png";
    });
    try {
      document.body.innerHTML = "<b>x</b>";
    } catch {
      refused.push("html");
    }
    return refused;
  });
  assert.deepEqual(stopped, ["fetch", "picture", "html"]);
  assert.deepEqual(view.foreign, []);
  await view.close();
});
