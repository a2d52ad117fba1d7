/** The extension's commands. */
import * as vscode from "vscode";

import { decide } from "../chat/diffDecision.js";
import type { OpenChats } from "../chat/openChats.js";
import type { AgentHost } from "./agentHost.js";
import type { ChatPlaces } from "./chatPlaces.js";
import { chooseAgent } from "./chooseAgent.js";
import type { DiffViews } from "./diffView.js";
import type { Logs } from "./logs.js";
import { fileAttachment, selectionAttachment } from "./mentions.js";
import { answerCommand, type Notifications } from "./notifications.js";
import type { OldChats } from "./oldChats.js";
import type { Settings } from "./settings.js";

export interface Parts {
  chats: OpenChats;
  places: ChatPlaces;
  settings: Settings;
  diffs: DiffViews;
  logs: Logs;
  oldChats: OldChats;
  agentHost: AgentHost;
  notifications: Notifications;
}

export function registerCommands(parts: Parts): vscode.Disposable {
  const { chats, places, settings, logs } = parts;
  const host = () => places.current.host;
  const commands: Record<string, (...args: unknown[]) => unknown> = {
    "turnwire.focus": (chatId) => {
      const chat = typeof chatId === "string" ? chats.find(chatId) : undefined;
      return chat ? places.show(chat) : places.view.focus();
    },
    "turnwire.newChat": async () => {
      await host().newSession();
      await places.current.focus();
    },
    "turnwire.newChatInEditor": () => places.open(chats.open(undefined, undefined)),
    "turnwire.openInEditor": () => places.open(host().chat),
    "turnwire.openInWindow": async () => {
      await places.open(host().chat);
      await vscode.commands.executeCommand("workbench.action.moveEditorToNewWindow");
    },
    "turnwire.cancel": () => host().conversation.cancel(),
    "turnwire.restart": () => host().restart(),
    "turnwire.logOut": () => host().logOut(),
    "turnwire.attachSelection": () => {
      const editor = vscode.window.activeTextEditor;
      return editor && places.current.focus({ type: "attach", attachment: selectionAttachment(editor) });
    },
    "turnwire.attachFile": (uri) => attachFile(places, uri),
    "turnwire.chooseAgent": async () => {
      // Turnwire may only be started in a trusted workspace.
      const [folder] = vscode.workspace.isTrusted ? (vscode.workspace.workspaceFolders ?? []) : [];
      const name = await chooseAgent(settings, folder?.uri.fsPath);
      if (name === undefined) return;
      await settings.choose(name);
      await host().newSession(name);
      await places.current.focus();
    },
    "turnwire.oldChats": () => parts.oldChats.show(),
    "turnwire.showInChat": () => parts.agentHost.turnOn(),
    "turnwire.hideFromChat": () => parts.agentHost.turnOff(),
    "turnwire.showLog": () => logs.log.show(),
    "turnwire.showEvents": () => logs.events.show(),
    "turnwire.allowDiff": (uri) => decideDiff(parts, uri, "allow_once"),
    "turnwire.rejectDiff": (uri) => decideDiff(parts, uri, "reject_once"),
    [answerCommand]: (requestId, optionId) => {
      const [id, choice] = [String(requestId), String(optionId)];
      const chat = parts.notifications.accepts(id, choice);
      if (chat !== undefined) chats.find(chat)?.conversation.requests.permissions.answer(id, choice);
    },
  };
  return vscode.Disposable.from(
    ...Object.entries(commands).map(([name, run]) => vscode.commands.registerCommand(name, run)),
  );
}

async function attachFile(places: ChatPlaces, given: unknown): Promise<void> {
  const uris =
    given instanceof vscode.Uri
      ? [given]
      : await vscode.window.showOpenDialog({ canSelectMany: true, openLabel: "Attach", title: "Attach Files to Chat" });
  for (const uri of uris ?? []) await places.current.focus({ type: "attach", attachment: fileAttachment(uri) });
}

/** Answers the call whose diff the editor shows. */
async function decideDiff({ chats, diffs }: Parts, uri: unknown, kind: "allow_once" | "reject_once"): Promise<void> {
  const active = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
  const at = uri instanceof vscode.Uri ? uri : active instanceof vscode.TabInputTextDiff ? active.modified : undefined;
  const diff = diffs.shownAt(at);
  if (!diff || (kind === "allow_once" && !diffs.settled)) return;
  const chat = chats.find(diff.chatId);
  if (chat && decide(chat.conversation, diff, kind)) await diffs.close(diff);
  else void vscode.window.showInformationMessage("Turnwire: answer this request in the chat.");
}
