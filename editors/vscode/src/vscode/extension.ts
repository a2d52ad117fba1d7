/**
 * Turnwire in VS Code: assembles the parts. The chat is in `chat/` and its user
 * interface in `webview/`; this folder connects them to the editor.
 */
import { join } from "node:path";

import * as vscode from "vscode";

import type { WireEvent } from "../chat/events.js";
import { thisMachine } from "../chat/thisMachine.js";
import { OpenChats } from "../chat/openChats.js";
import { Memory } from "../chat/memory.js";
import { StateFile } from "../chat/stateFile.js";
import { AgentHost } from "./agentHost.js";
import { panelType } from "./chatPanel.js";
import { ChatPlaces } from "./chatPlaces.js";
import { registerCommands } from "./commands.js";
import { DiffViews } from "./diffView.js";
import { CodeEditor } from "./editor.js";
import { Logs } from "./logs.js";
import { Notifications } from "./notifications.js";
import { OldChats } from "./oldChats.js";
import { PanelMemory } from "./panelMemory.js";
import { Reviews } from "./reviews.js";
import { Settings } from "./settings.js";
import { SideBar, viewIds } from "./sideBar.js";
import { StatusBar } from "./statusBar.js";
import { workspaceFolder } from "./storage.js";
import { TerminalViews } from "./terminals.js";

let running: OpenChats | undefined;

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  const logs = new Logs();
  const settings = new Settings(context.extensionPath);
  const diffs = new DiffViews();
  const reviews = new Reviews();
  const terminals = new TerminalViews();
  const notifications = new Notifications(diffs);
  const statusBar = new StatusBar();
  const sideBar = new SideBar(context);
  let places: ChatPlaces | undefined;

  const showStatus = (): void => {
    if (!places) return;
    const { session, conversation } = places.current.host;
    notifications.setVisible(places.visible);
    statusBar.show(session, notifications.waiting);
    places.view.showWaiting(notifications.waiting);
    places.showTitles();
    void vscode.commands.executeCommand("setContext", "turnwire.running", conversation.busy);
    void vscode.commands.executeCommand("setContext", "turnwire.canLogOut", conversation.live?.canLogOut ?? false);
  };
  const editor = new CodeEditor({
    diffs,
    reviews,
    terminals,
    showLog: () => logs.log.show(),
    asked: (ask) => {
      notifications.asked(ask);
      showStatus();
    },
    settled: (id) => {
      notifications.settled(id);
      showStatus();
    },
    sessionChanged: showStatus,
  });
  // A window without a folder has no storage.
  const storage = context.storageUri ? workspaceFolder(context.storageUri.fsPath) : context.globalStorageUri.fsPath;
  const { version } = context.extension.packageJSON as { version: string };
  const oldChats = await OldChats.find(storage);
  const options = {
    editor,
    machine: thisMachine,
    agents: settings,
    chosen: new StateFile(join(storage, "chosen.json")),
    queued: new StateFile(join(storage, "queue.json")),
    version,
    traffic: logs.traffic,
    onEvent: (event: WireEvent) => logs.event(event),
  };
  const chats = new OpenChats(options);
  running = chats;
  const agentHost = new AgentHost(settings, join(context.globalStorageUri.fsPath, "serve"), logs.log);
  places = new ChatPlaces({
    extension: context.extensionUri,
    chats,
    host: options,
    memory: new Memory(join(storage, "chat.json")),
    panels: new PanelMemory(new StateFile(join(storage, "panels.json"))),
    viewId: () => sideBar.viewId,
    changed: showStatus,
  });
  const { view } = places;
  context.subscriptions.push(
    logs,
    diffs,
    reviews,
    terminals,
    notifications,
    statusBar,
    agentHost,
    sideBar,
    ...viewIds.map((id) => vscode.window.registerWebviewViewProvider(id, view, { webviewOptions: { retainContextWhenHidden: false } })),
    vscode.window.registerWebviewPanelSerializer(panelType, places),
    registerCommands({ chats, places, settings, diffs, logs, oldChats, agentHost, notifications }),
    // A chat that was never shown starts when it is opened.
    vscode.workspace.onDidGrantWorkspaceTrust(() => {
      for (const { conversation } of chats.all) {
        if (conversation.facts.session.status === "failed" || places?.visible.has(conversation.id)) void conversation.start();
      }
    }),
    vscode.workspace.onDidChangeConfiguration((change) => {
      if (change.affectsConfiguration("turnwire")) chats.agentsChanged();
    }),
  );
  showStatus();
}

/** The editor waits briefly for this: the agent is asked to exit, so that it can save the chat. */
export async function deactivate(): Promise<void> {
  await running?.close();
  running = undefined;
}
