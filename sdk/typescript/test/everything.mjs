// Does what each prompt says. The tests drive the same agent in all languages.

import { setImmediate } from "node:timers/promises";
import { Agent } from "turnwire-agent";

const modes = ["calm", "loud", "never"].map((id) => ({ id, name: id.toUpperCase() }));
const agent = new Agent({ name: "Everything", modes, resume: true, tools: true, steer: {} });

agent.onOption((id, value) => {
  if (value === "never") throw new Error("Not that one");
});

agent.onPrompt(async (turn) => {
  console.log("stray\ntext");
  switch (turn.prompt) {
    case "say":
      turn.thinking("hm");
      turn.text("Grüße \u2028 😀\n");
      turn.emit({ type: "text_delta", text: `in mode ${agent.mode}` });
      break;
    case "ask": {
      const { text, cancelled } = await turn.ask("Which?", { options: ["idea", "task"] });
      turn.text(cancelled ? "nothing" : `It is: ${text}`);
      break;
    }
    case "confirm": {
      const tool = turn.tool("save", { args: { note: "n" }, title: "Save a note", kind: "execute" });
      if ((await turn.confirm(tool)).allowed) await tool.run(() => tool.output("saved\n"));
      turn.text("after");
      break;
    }
    case "broken tool":
      await turn.tool("save").run(() => Promise.reject(new Error("the disk is full"))).catch(() => {});
      break;
    case "fail":
    case "panic":
      throw new Error("it is broken");
    case "wait":
      turn.text("waiting");
      await turn.tool("sleep").run(() => new Promise((_, reject) => turn.signal.addEventListener("abort", () => reject(turn.signal.reason))));
      break;
    case "count":
      turn.save((agent.state ?? 0) + 1);
      turn.text(String(agent.state));
      break;
    case "write": {
      const { ok, error } = await turn.editor("write_file", { path: "a.txt", text: "new" });
      turn.text(ok ? "written" : error);
      break;
    }
    case "use": {
      turn.text(`${(await turn.tools()).length} tools: ${(await turn.callTool("read_file", { path: "a.txt" }, 3)).text}`);
      turn.text(String((await turn.callTool("write_file", { path: "b.txt", content: "b" })).ok));
      break;
    }
    case "steer": {
      turn.text("waiting");
      let messages;
      while ((messages = turn.messages()).length === 0) await setImmediate();
      turn.text(messages[0].text);
      break;
    }
    case "late":
      void late(turn).catch((error) => console.error("late:", error.message));
      break;
    default:
      turn.text("What?");
  }
});

async function late(turn) {
  for (;;) {
    turn.thinking("");
    await setImmediate();
  }
}

await agent.run();
