/** Formulas and diagrams on the page, with and without its server. */
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, test } from "node:test";
import { leaveBrowser } from "../browser.js";
import { Phone } from "./phone.js";
import { scripted, Served } from "./served.js";

after(leaveBrowser);

const answer = "The energy is $E = mc^2$.\n\n```mermaid\nsequenceDiagram\n  Phone->>Server: prompt\n  Server-->>Phone: answer\n```\n\nThat is all.";

test("formulas and diagrams are shown in the browser's colours, and without the server", async () => {
  const served = await Served.start(...scripted);
  try {
    const phone = await Phone.open(served);
    await phone.ready();
    await phone.page.evaluate(async () => void (await navigator.serviceWorker.ready));
    await phone.page.reload();
    await phone.ready();
    const file = join(served.folder, "answer.md");
    writeFileSync(file, answer);
    await phone.say(`until ${file}`);
    const drawn = async () => {
      await phone.page.locator(".agent math").waitFor();
      await phone.page.locator(".agent .diagram-view img").waitFor();
    };
    await drawn();
    await phone.idle();
    await phone.picture("drawings-360-dark");
    const source = () => phone.page.locator(".agent .diagram-view img").evaluate((image: HTMLImageElement) => image.src);
    const dark = await source();
    await phone.page.emulateMedia({ colorScheme: "light" });
    await phone.page.waitForFunction((before) => {
      const now = document.querySelector<HTMLImageElement>(".agent .diagram-view img");
      return now !== null && now.src !== before;
    }, dark);
    await phone.picture("drawings-360-light");

    // The page saves the chat a while after its last change, or when it is hidden.
    await phone.page.evaluate(() => {
      Object.defineProperty(document, "visibilityState", { value: "hidden", configurable: true });
      document.dispatchEvent(new Event("visibilitychange"));
    });
    await served.kill();
    await phone.page.reload();
    await phone.reads(/Offline, as of/);
    await drawn();
    await phone.page.locator(".agent .diagram-view").tap();
    await phone.page.locator("dialog img").waitFor();
    await phone.press("Close");
    assert.deepEqual(phone.errors, []);
    assert.deepEqual(phone.foreign, []);
    await phone.close();
  } finally {
    await served.stop();
  }
});
