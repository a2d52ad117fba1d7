/** Images can be pasted, dropped and picked, and rejected ones get a reason. */
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { leaveBrowser } from "../browser.js";
import { readFromView } from "../../src/shared/fromView.js";
import { assertAccessible, loadAxe } from "./axe.js";
import { chat } from "./chats.js";
import { png } from "./png.js";
import { themes, type ThemeName } from "./themes.js";
import { View } from "./view.js";

after(leaveBrowser);

const picture = png(320, 200);
const data = `data:image/png;base64,${picture.toString("base64")}`;

interface Given {
  name: string;
  type: string;
  bytes: Buffer;
}

const image: Given = { name: "screenshot.png", type: "image/png", bytes: picture };

/** Pastes or drops files with a browser's events. */
async function give(view: View, how: "paste" | "drop" | "dragover", given: Given[], text = ""): Promise<void> {
  const files = given.map(({ name, type, bytes }) => ({ name, type, base64: bytes.toString("base64") }));
  await view.page.evaluate(async ([event, all, plain]) => {
    const transfer = new DataTransfer();
    for (const { name, type, base64 } of all) {
      const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
      transfer.items.add(new File([bytes], name, { type }));
    }
    if (plain) transfer.setData("text/plain", plain);
    const options = { bubbles: true, cancelable: true };
    const target = document.querySelector(event === "paste" ? "textarea" : ".log")!;
    target.dispatchEvent(event === "paste" ? new ClipboardEvent("paste", { ...options, clipboardData: transfer }) : new DragEvent(event, { ...options, dataTransfer: transfer }));
  }, [how, files, text] as const);
}

test("an image that is pasted, dropped or picked is shown, and sent or removed", async () => {
  const view = await View.open();
  await view.post(chat([]));
  const { page } = view;
  const shown = page.locator(".attached img");
  await give(view, "paste", [image]);
  await shown.waitFor();
  assert.equal(await shown.evaluate((one: HTMLImageElement) => one.naturalWidth), 320);
  await page.getByRole("button", { name: "Remove screenshot.png" }).click();
  assert.equal(await shown.count(), 0);
  await give(view, "dragover", [image]);
  await page.locator(".prompt-box.dragged").waitFor();
  await view.screenshot("image-dragged");
  await give(view, "drop", [image, { ...image, name: "other.png", bytes: png(10, 10) }]);
  await shown.nth(1).waitFor();
  assert.equal(await page.locator(".prompt-box.dragged").count(), 0);
  const [chooser] = await Promise.all([page.waitForEvent("filechooser"), page.getByRole("button", { name: "Add an image" }).click()]);
  await chooser.setFiles({ name: "third.png", mimeType: "image/png", buffer: png(64, 64) });
  await shown.nth(2).waitFor();
  await page.locator("textarea").fill("What is this?");
  await page.keyboard.press("Enter");
  const prompt = await view.sent("prompt");
  assert.deepEqual(prompt.attachments.map(({ kind, label }) => `${kind} ${label}`), ["image screenshot.png", "image other.png", "image third.png"]);
  assert.equal(prompt.attachments[0]?.data, data);
  assert.equal(await shown.count(), 0);
  assert.deepEqual([view.errors, view.foreign, await view.violations()], [[], [], []]);
  await view.close();
});

test("an agent that accepts no images gets none, and the user is told", async () => {
  const view = await View.open();
  await view.post(chat([], { accepts: { image: false, embedded: true } }));
  const { page } = view;
  assert.equal(await page.getByRole("button", { name: "Add an image" }).count(), 0);
  for (const how of ["paste", "drop"] as const) {
    await give(view, how, [image]);
    await page.getByRole("alert").filter({ hasText: "images" }).getByText("Workspace does not accept images.").waitFor();
    assert.equal(await page.locator(".attached").count(), 0);
    await page.getByRole("button", { name: "Dismiss" }).click();
    assert.equal(await page.locator(".refused").count(), 0);
  }
  await view.close();
});

test("unsupported or too large files are refused by name, and other images accepted", async () => {
  const view = await View.open();
  await view.post(chat([]));
  const { page } = view;
  await give(view, "drop", [
    { name: "notes.pdf", type: "application/pdf", bytes: Buffer.from("%PDF") },
    { name: "drawing.svg", type: "image/svg+xml", bytes: Buffer.from("<svg/>") },
    { name: "renamed.png", type: "image/png", bytes: Buffer.from("this is a text") },
    { name: "huge.png", type: "image/png", bytes: Buffer.alloc(8_000_000) },
    image,
  ]);
  await page.locator(".attached img").waitFor();
  assert.deepEqual(await page.locator(".refused-why p").allInnerTexts(), [
    "notes.pdf is not an image. Mention workspace files with @.",
    "drawing.svg has an unsupported format. Use PNG, JPEG, GIF or WebP.",
    "renamed.png is not a readable image.",
    "huge.png is 8.0 MB; the limit is 7.9 MB.",
  ]);
  await view.close();
});

test("only so many images are taken at a time", async () => {
  const view = await View.open();
  await view.post(chat([]));
  await give(view, "drop", Array.from({ length: 22 }, (_, i) => ({ ...image, name: `${i}.png`, bytes: png(1, 1) })));
  await view.page.locator(".refused-why p").nth(1).waitFor();
  assert.equal(await view.page.locator(".attached img").count(), 20);
  assert.match(await view.page.locator(".refused-why p").first().innerText(), /^20.png was not attached: the limit is 20 images/);
  await view.close();
});

test("text that comes with a picture of it is pasted as text", async () => {
  const view = await View.open();
  await view.post(chat([]));
  await give(view, "paste", [image], "a\tb");
  await give(view, "drop", [{ ...image, name: "after.png" }]);
  await view.page.locator(".attached").waitFor();
  assert.equal(await view.page.locator(".attached").count(), 1);
  await view.close();
});

test("the host takes no image that is larger than the view sends", () => {
  const attachment = { kind: "image", label: "x.png", uri: "", data };
  const prompt = { type: "prompt", text: "", attachments: [attachment] };
  assert.deepEqual(readFromView(prompt), prompt);
  assert.equal(readFromView({ ...prompt, attachments: [{ ...attachment, data: data + "A".repeat(11 << 20) }] }), undefined);
});

for (const theme of Object.keys(themes) as ThemeName[]) {
  test(`images and refusals in the ${theme} theme`, async () => {
    const view = await View.open({ theme, height: 420 });
    await loadAxe(view);
    await view.post(chat([]));
    await give(view, "drop", [image, { ...image, name: "wide.png", bytes: png(600, 60) }, { name: "notes.pdf", type: "application/pdf", bytes: Buffer.from("%PDF") }]);
    await view.page.locator(".attached img").nth(1).waitFor();
    await view.page.locator(".refused-why p").waitFor();
    for (const width of [300, 450, 900]) {
      await view.page.setViewportSize({ width, height: 420 });
      await view.screenshot(`gallery/images-${theme}-${width}`);
      await assertAccessible(view, `${theme}, ${width}`);
    }
    await view.close();
  });
}
