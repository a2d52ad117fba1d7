/** The extension's commands. */
import * as vscode from "vscode";

import type { Host } from "../chat/host.js";
import type { AgentHost } from "./agentHost.js";
import type { ChatView } from "./chatView.js";
import { chooseAgent } from "./chooseAgent.js";
import type { DiffViews } from "./diffView.js";
import type { Logs } from "./logs.js";
import { fileAttachment, selectionAttachment } from "./mentions.js";
import { answerCommand, type Notifications } from "./notifications.js";
import type { OldChats } from "./oldChats.js";
import type { Settings } from "./settings.js";

export interface Parts {
  host: Host;
  view: ChatView;
  settings: Settings;
  diffs: DiffViews;
  logs: Logs;
  oldChats: OldChats;
  agentHost: AgentHost;
  notifications: Notifications;
}

export function registerCommands(parts: Parts): vscode.Disposable {
  const { host, view, settings, logs } = parts;
  const commands: Record<string, (...args: unknown[]) => unknown> = {
    "turnwire.focus": () => view.focus(),
    "turnwire.newChat": async () => {
      await host.newSession();
      await view.focus();
    },
    "turnwire.cancel": () => host.conversation.cancel(),
    "turnwire.restart": () => host.restart(),
    "turnwire.logOut": () => host.logOut(),
    "turnwire.attachSelection": () => {
      const editor = vscode.window.activeTextEditor;
      return editor && view.focus({ type: "attach", attachment: selectionAttachment(editor) });
    },
    "turnwire.attachFile": (uri) => attachFile(view, uri),
    "turnwire.chooseAgent": async () => {
      // Turnwire may only be started in a trusted workspace.
      const [folder] = vscode.workspace.isTrusted ? (vscode.workspace.workspaceFolders ?? []) : [];
      const name = await chooseAgent(settings, folder?.uri.fsPath);
      if (name === undefined) return;
      await settings.choose(name);
      await host.newSession(name);
      await view.focus();
    },
    "turnwire.oldChats": () => parts.oldChats.show(),
    "turnwire.showInChat": () => parts.agentHost.turnOn(),
    "turnwire.hideFromChat": () => parts.agentHost.turnOff(),
    "turnwire.showLog": () => logs.log.show(),
    "turnwire.showEvents": () => logs.events.show(),
    "turnwire.allowDiff": (uri) => decide(parts, uri, "allow_once"),
    "turnwire.rejectDiff": (uri) => decide(parts, uri, "reject_once"),
    [answerCommand]: (requestId, optionId) => {
      const [id, choice] = [String(requestId), String(optionId)];
      if (parts.notifications.accepts(id, choice)) host.conversation.requests.permissions.answer(id, choice);
    },
  };
  return vscode.Disposable.from(
    ...Object.entries(commands).map(([name, run]) => vscode.commands.registerCommand(name, run)),
  );
}

async function attachFile(view: ChatView, given: unknown): Promise<void> {
  const uris =
    given instanceof vscode.Uri
      ? [given]
      : await vscode.window.showOpenDialog({ canSelectMany: true, openLabel: "Attach", title: "Attach Files to Chat" });
  for (const uri of uris ?? []) await view.focus({ type: "attach", attachment: fileAttachment(uri) });
}

/** Answers the call whose diff the editor shows. */
async function decide({ host, diffs }: Parts, uri: unknown, kind: "allow_once" | "reject_once"): Promise<void> {
  const active = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
  const at = uri instanceof vscode.Uri ? uri : active instanceof vscode.TabInputTextDiff ? active.modified : undefined;
  const diff = diffs.shownAt(at);
  if (!diff || (kind === "allow_once" && !diffs.settled)) return;
  if (host.decide(diff, kind)) await diffs.close(diff.toolCallId);
  else void vscode.window.showInformationMessage("Turnwire: answer this request in the chat.");
}
