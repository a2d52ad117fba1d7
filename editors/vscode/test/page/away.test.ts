/**
 * The page and its server: logging in with a scanned code, losing the
 * connection, and a server that goes away.
 */
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, test } from "node:test";
import { leaveBrowser } from "../browser.js";
import { Cable } from "./cable.js";
import { Phone } from "./phone.js";
import { scripted, Served } from "./served.js";

after(leaveBrowser);

async function serving(args: string[], run: (served: Served) => Promise<void>): Promise<void> {
  const served = await Served.start(...args);
  try {
    await run(served);
  } finally {
    await served.stop();
  }
}

const code = (served: Served): Promise<RegExpExecArray> => served.hears(/http:\S*(\/#token=tw1_\w+)/);

test("a scanned code logs in one page once, and is removed from the address", () =>
  serving(["--auth", "token", "--qr", ...scripted], async (served) => {
    const [, path = ""] = await code(served);
    const phone = await Phone.open(served, path);
    await phone.ready();
    assert.equal(phone.page.url(), `${served.url}/`);
    await phone.say("say Logged in.");
    await phone.idle();
    const [cookie, ...others] = await phone.page.context().cookies();
    assert.deepEqual(others, []);
    assert.ok(cookie?.httpOnly && cookie.sameSite === "Strict" && cookie.path === "/", JSON.stringify(cookie));
    assert.doesNotMatch(path, new RegExp(cookie.value), "the code is not the token");
    assert.equal(await phone.page.evaluate(() => document.cookie + JSON.stringify(localStorage) + JSON.stringify(sessionStorage)).then((kept) => kept.includes(cookie.value) || kept.includes("tw1_")), false);
    await phone.page.reload();
    await phone.reads("Logged in.");

    const late = await Phone.open(served, path, { colours: "light" });
    await late.reads(/rejected this token/);
    await late.picture("login-360-light");
    await late.page.getByLabel("Token").fill("tw_wrong");
    await late.press("Log in");
    await late.reads(/rejected this token/);
    await late.page.getByLabel("Token").fill(served.turnwire("token", "create", "by-hand"));
    await late.press("Log in");
    await late.ready();
    assert.deepEqual([...phone.errors, ...late.errors], []);

    await phone.press("Chats");
    await phone.press("Log out");
    await phone.reads("Log in to Turnwire");
    assert.deepEqual(await phone.page.context().cookies(), []);
    assert.equal(await phone.page.evaluate(() => localStorage.length), 0);
  }));

test("a page whose token was revoked asks for another one", () =>
  serving(["--auth", "token", ...scripted], async (served) => {
    const token = served.turnwire("token", "create", "phone");
    const phone = await Phone.open(served, `/#token=${token}`);
    await phone.ready();
    await phone.say("say Still there.");
    await phone.reads("Still there.");
    served.turnwire("token", "revoke", "phone");
    await phone.page.getByRole("heading", { name: "Log in to Turnwire" }).waitFor();
    await phone.page.getByLabel("Token").fill(served.turnwire("token", "create", "phone"));
    await phone.press("Log in");
    await phone.reads("Still there.");
  }));

test("a server that was killed comes back, and the page with it", () =>
  serving([], async (served) => {
    writeFileSync(join(served.folder, "notes.txt"), "one\n");
    const phone = await Phone.open(served);
    await phone.ready();
    await phone.say("/think Hm.\n/read notes.txt");
    await phone.idle();
    await phone.prompt.fill("What I have typed");
    await served.kill();
    await phone.reads("The server is unreachable.");
    await phone.picture("away-360-dark");
    await served.up();
    await phone.page.locator(".line.away").waitFor({ state: "detached" });
    await phone.reads("notes.txt");
    assert.equal(await phone.prompt.inputValue(), "What I have typed");
    await phone.say("/append notes.txt two");
    await phone.press(/^Allow/);
    await phone.reads("All done");
    assert.deepEqual(phone.errors, []);
  }));

test("a turn whose server was killed ends visibly once it runs again, and the queue waits", () =>
  serving(scripted, async (served) => {
    const phone = await Phone.open(served);
    await phone.ready();
    await phone.say(`say One.\nchange ${join(served.folder, "notes.md")}`);
    await phone.page.getByRole("button", { name: "Allow once" }).waitFor();
    await phone.prompt.fill("say Later.");
    await phone.press("Queue");
    await served.kill();
    await phone.reads("The server is unreachable.");
    await served.up();
    await phone.page.locator(".line.away").waitFor({ state: "detached" });
    await phone.reads("This turn was interrupted because Turnwire exited.");
    await phone.idle();
    await phone.picture("killed-360-dark");
    assert.equal(await phone.page.getByRole("button", { name: "Allow once" }).count(), 0, "the request is withdrawn");
    assert.match(await phone.page.locator(".tool").innerText(), /Failed/);
    assert.match(await phone.page.locator(".queue").innerText(), /Paused: the turn failed[^]*say Later\./);
    assert.equal(await phone.page.locator(".user").count(), 1, "it was not sent");
    await phone.press("Send now: say Later.");
    await phone.page.locator(".user").nth(1).waitFor();
    await phone.idle();
    assert.deepEqual(phone.errors, []);
  }));

test("the page opens without the server, and connects once it is there", () =>
  serving(scripted, async (served) => {
    const phone = await Phone.open(served);
    await phone.ready();
    await phone.page.evaluate(async () => void (await navigator.serviceWorker.ready));
    await phone.page.reload();
    await phone.ready();
    await served.kill();
    // The page also retries by itself. Here, only requests started by the
    // button get through.
    await phone.page.addInitScript(() => {
      const fetch = window.fetch.bind(window);
      let pressed = false;
      window.fetch = (...args) => {
        pressed ||= window.event?.type === "click";
        return pressed ? fetch(...args) : Promise.reject(new TypeError("Failed to fetch"));
      };
    });
    await phone.page.reload();
    await phone.reads("The server is unreachable.");
    await served.up();
    await phone.press("Try now");
    await phone.ready();
    await phone.say("say Here again.");
    await phone.reads("Here again.");
  }));

test("the page can be installed", () =>
  serving(scripted, async (served) => {
    const phone = await Phone.open(served);
    await phone.ready();
    const manifest = await phone.page.evaluate(async () => (await (await fetch(document.querySelector<HTMLLinkElement>("link[rel=manifest]")!.href)).json()) as { icons: { src: string; sizes: string }[] });
    for (const { src, sizes } of manifest.icons) {
      const size = await phone.page.evaluate(async (url) => {
        const picture = new Image();
        picture.src = url;
        await picture.decode();
        return `${picture.naturalWidth}x${picture.naturalHeight}`;
      }, src);
      assert.equal(size, sizes);
    }
    const client = await phone.page.context().newCDPSession(phone.page);
    const { installabilityErrors } = await client.send("Page.getInstallabilityErrors");
    // A private window can't install anything.
    assert.deepEqual(installabilityErrors.map(({ errorId }) => errorId).filter((id) => id !== "in-incognito"), []);
    assert.deepEqual(phone.foreign, []);
  }));

test("messages that did not reach the server are saved, to be sent again", () =>
  serving([], async (served) => {
    const phone = await Phone.open(served);
    await phone.ready();
    await phone.say("/say First.");
    await phone.reads("All done: 1 step."); // before the turn starts, nothing is running either
    await phone.idle();
    served.freeze();
    await phone.say("/think This gets lost.");
    await phone.page.getByRole("button", { name: "Cancel" }).waitFor();
    await served.kill();
    await served.up();
    await phone.reads("The server did not receive your last message.");
    await phone.picture("unsent-360-dark");
    await phone.press(/Try again/i);
    const said = phone.page.locator(".user", { hasText: "This gets lost." });
    await said.first().waitFor();
    await phone.idle();
    assert.equal((await said.allInnerTexts()).length, 1);
    assert.deepEqual(phone.errors, []);
  }));

/** Runs a test with a page whose connection can be cut. */
const cabled = (run: (phone: Phone, cable: Cable, served: Served) => Promise<void>): Promise<void> =>
  serving(scripted, async (served) => {
    const cable = await Cable.to(served.url);
    try {
      const phone = await Phone.open(served, "/", { by: cable.url });
      await phone.ready();
      await run(phone, cable, served);
      assert.deepEqual(phone.errors, []);
    } finally {
      await cable.remove();
    }
  });

test("a turn goes on while its connection is cut, and nothing in it is lost or repeated", () =>
  cabled(async (phone, cable, served) => {
    const more = join(served.folder, "more");
    await phone.say(`say One.\nuntil ${more}\nsay Three.`);
    await phone.reads("One.");
    cable.cut();
    await phone.reads("The server is unreachable.");
    await phone.page.getByRole("button", { name: "Cancel", exact: true }).waitFor(); // it still runs
    await phone.prompt.fill("What I have typed");
    writeFileSync(more, "Two.");
    cable.mend();
    await phone.reads("Three.");
    await phone.page.locator(".line.away").waitFor({ state: "detached" });
    await phone.idle();
    const said = (await phone.page.locator(".log").innerText()).match(/\b(One|Two|Three)\./g);
    // The prompt has the first and the last word too.
    assert.deepEqual(said, ["One.", "Three.", "One.", "Two.", "Three."]);
    assert.equal(await phone.prompt.inputValue(), "What I have typed");
  }));

test("a browser that says it is offline is believed at once", () =>
  cabled(async (phone, cable, served) => {
    const more = join(served.folder, "more");
    await phone.say(`until ${more}`);
    await phone.page.getByRole("button", { name: "Cancel", exact: true }).waitFor();
    cable.swallow();
    await phone.page.evaluate(() => {
      const now = Date.now();
      Date.now = () => now; // no heartbeat is late
      window.dispatchEvent(new Event("offline"));
    });
    await phone.reads("The server is unreachable.");
    cable.mend();
    writeFileSync(more, "It went on.");
    await phone.reads("It went on.");
    await phone.page.locator(".line.away").waitFor({ state: "detached" });
    await phone.idle();
  }));

test("an answer that the server did not receive is marked, and sent when it is back", () =>
  cabled(async (phone, cable, served) => {
    await phone.say(`change ${join(served.folder, "notes.md")}`);
    await phone.page.getByRole("button", { name: "Allow once" }).waitFor();
    cable.swallow();
    await phone.press("Allow once");
    await phone.page.locator(".unsent", { hasText: "Allowed: Allow once · not sent yet" }).waitFor();
    await phone.page.locator(".line.away").waitFor();
    await phone.picture("answer-unsent-360-dark");
    cable.mend();
    await phone.reads("The answer was once.");
    await phone.page.locator(".unsent").waitFor({ state: "detached" });
    await phone.idle();
  }));

test("an answer to a question that the server did not receive is marked, and sent when it is back", () =>
  cabled(async (phone, cable) => {
    await phone.say("ask Which tea?");
    await phone.page.getByLabel("Answer").first().fill("Green");
    await phone.press("Answer");
    await phone.reads("The answer was Green.");
    await phone.idle();
    await phone.say("ask Which tea?");
    await phone.page.locator("form.form").waitFor();
    cable.swallow();
    await phone.page.getByLabel("Answer").first().fill("Black");
    await phone.press("Answer");
    await phone.page.locator(".question", { hasText: "Black" }).locator(".unsent", { hasText: "not sent yet" }).waitFor();
    assert.equal(await phone.page.locator(".unsent").count(), 1, "the server has the first answer");
    await phone.page.locator(".line.away").waitFor();
    await phone.picture("question-unsent-360-dark");
    cable.mend();
    await phone.reads("The answer was Black.");
    await phone.page.locator(".unsent").waitFor({ state: "detached" });
    await phone.idle();
  }));

test("a cancel takes back an answer that the server did not receive, and does not wait for it", () =>
  cabled(async (phone, cable, served) => {
    await phone.say(`change ${join(served.folder, "notes.md")}`);
    await phone.page.getByRole("button", { name: "Allow once" }).waitFor();
    cable.cut();
    await phone.page.locator(".line.away").waitFor();
    await phone.press("Allow once");
    await phone.page.locator(".unsent").waitFor();
    await phone.press("Cancel");
    await phone.idle();
    cable.mend();
    await phone.page.locator(".line.away").waitFor({ state: "detached" });
    await phone.reads("The answer was cancelled.");
    await phone.page.locator(".unsent").waitFor({ state: "detached" });
    assert.equal(await phone.page.locator(".tool .decision").textContent(), "Cancelled");
    await phone.say(`until ${join(served.folder, "more")}`);
    writeFileSync(join(served.folder, "more"), "Another turn.");
    await phone.reads("Another turn.");
    await phone.idle();
  }));
