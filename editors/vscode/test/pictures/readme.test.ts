/**
 * Makes the pictures of the README: one and the same turn in VS Code, Neovim and the
 * terminal, in light and dark. `make pictures` writes them to docs/pictures.
 */
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";

import { connected, leaveBrowser } from "../browser.js";
import { Server } from "../vscode/server.js";
import { Window } from "../vscode/window.js";
import { Terminal } from "./terminal.js";

const root = join(import.meta.dirname, "../../..");
const here = join(root, "test/pictures");
const pictures = join(root, "../../docs/pictures");
const binary = process.env["TURNWIRE_BINARY"]!;
const agent = [process.execPath, join(here, "agent.mjs")];
const file = "greet.py";
const text = 'def greet(name):\n    print("hey " + name)\n\n\ngreet("world")\n';
const prompt = "Make the greeting polite";

after(leaveBrowser);

for (const theme of ["light", "dark"] as const) {
  test(`one turn in three places, ${theme}`, async () => {
    const scratch = await mkdtemp(join(tmpdir(), "demo-"));
    const folder = join(scratch, "greeting");
    await mkdir(folder);
    await writeFile(join(folder, file), text);
    await mkdir(join(scratch, "bin"));
    await symlink(binary, join(scratch, "bin/turnwire"));
    try {
      const [editor, neovim, terminal] = [await inEditor(theme), await inNeovim(theme, scratch, folder), await inTerminal(scratch, folder)];
      await mkdir(pictures, { recursive: true });
      await writeFile(join(pictures, `turn-${theme}.webp`), await composed(theme, editor, neovim, terminal));
    } finally {
      await rm(scratch, { recursive: true, force: true, maxRetries: 5 });
    }
  });
}

async function inEditor(theme: "light" | "dark"): Promise<string> {
  const server = await Server.start({
    "turnwire.agents": { polite: { args: ["acp", "--", ...agent] } },
    "turnwire.agent": "polite",
    "workbench.colorTheme": theme === "light" ? "Default Light Modern" : "Default Dark Modern",
    "editor.minimap.enabled": false,
    "window.menuBarVisibility": "compact",
  });
  try {
    const window = await Window.open(server, await server.workspace("greeting", { [file]: text }));
    await window.page.setViewportSize({ width: 1000, height: 800 });
    await window.openFile(file);
    await window.openChat();
    await widen(window, 560);
    await window.say(prompt);
    await window.said("Good morning");
    await window.page.mouse.move(700, 500);
    const picture = await window.page.screenshot({ animations: "disabled" });
    await window.close();
    return picture.toString("base64");
  } finally {
    await server.stop();
  }
}

/** Makes the side bar so wide that the chat has room. */
async function widen(window: Window, to: number): Promise<void> {
  const { x, width } = (await window.page.locator(".part.sidebar").boundingBox())!;
  await window.page.mouse.move(x + width, 300);
  await window.page.mouse.down();
  await window.page.mouse.move(to, 300, { steps: 5 });
  await window.page.mouse.up();
}

async function inNeovim(theme: string, scratch: string, folder: string): Promise<string> {
  const socket = join(scratch, "nvim.sock");
  const nvim = join(root, "../neovim/test/nvim.sh");
  const env = {
    TURNWIRE_FOLDER: join(scratch, "bin"),
    XDG_STATE_HOME: scratch, XDG_DATA_HOME: scratch, XDG_CONFIG_HOME: scratch,
    TURNWIRE_PICTURE: theme, COLORTERM: "truecolor",
  };
  const start = `${nvim} --headless --listen ${socket} --clean --cmd 'set rtp+=${join(root, "../neovim")}' -u ${join(here, "init.lua")} ${file} 2>/dev/null &
    until [ -S ${socket} ]; do sleep 0.1; done; exec ${nvim} --server ${socket} --remote-ui`;
  const screen = new Terminal(join(scratch, "tmux-nvim"), folder, 88, 28, start, env);
  try {
    await screen.shows("greet(name)");
    await screen.types(`:Turnwire -- ${agent.join(" ")}`);
    await screen.shows("<CR> sends");
    await screen.types(prompt);
    await screen.shows("Reject");
    return screen.html();
  } finally {
    screen.close();
  }
}

async function inTerminal(scratch: string, folder: string): Promise<string> {
  const screen = new Terminal(join(scratch, "tmux-chat"), folder, 88, 28, [binary, "chat", "--", ...agent].join(" "), { XDG_STATE_HOME: scratch });
  try {
    await screen.shows("Enter sends");
    await screen.types(prompt);
    await screen.shows("[y]es");
    return screen.html();
  } finally {
    screen.close();
  }
}

/** Returns one picture of all three, as WebP. */
async function composed(theme: "light" | "dark", editor: string, neovim: string, terminal: string): Promise<Buffer> {
  const context = await (await connected()).newContext({ viewport: { width: 1700, height: 900 }, colorScheme: theme });
  const page = await context.newPage();
  const style = await readFile(join(here, "style.css"), "utf8");
  await page.setContent(`<style>${style}</style><body class="${theme}">
    <figure class="editor"><figcaption>VS Code</figcaption><img src="data:image/png;base64,${editor}"></figure>
    <figure><figcaption>Neovim</figcaption><pre>${neovim}</pre></figure>
    <figure><figcaption>Terminal</figcaption><pre>${terminal}</pre></figure>`);
  await page.evaluate(() => {
    for (const one of document.querySelectorAll<HTMLElement>("[data-ansi-truecolor-fg]")) one.style.color = `rgb(${one.dataset["ansiTruecolorFg"]})`;
  });
  const png = (await page.locator("body").screenshot({ omitBackground: true })).toString("base64");
  const webp = await page.evaluate(async (data) => {
    const image = new Image();
    image.src = `data:image/png;base64,${data}`;
    await image.decode();
    const canvas = document.createElement("canvas");
    [canvas.width, canvas.height] = [image.width, image.height];
    canvas.getContext("2d")!.drawImage(image, 0, 0);
    return canvas.toDataURL("image/webp", 0.85).split(",")[1]!;
  }, png);
  await context.close();
  return Buffer.from(webp, "base64");
}
