/**
 * Turnwire in VS Code: assembles the parts. The chat is in `chat/` and its user
 * interface in `webview/`; this folder connects them to the editor.
 */
import { join } from "node:path";

import * as vscode from "vscode";

import { thisMachine } from "../chat/thisMachine.js";
import { Host } from "../chat/host.js";
import { Memory } from "../chat/memory.js";
import { StateFile } from "../chat/stateFile.js";
import { AgentHost } from "./agentHost.js";
import { ChatView, viewId } from "./chatView.js";
import { registerCommands } from "./commands.js";
import { DiffViews } from "./diffView.js";
import { CodeEditor } from "./editor.js";
import { Logs } from "./logs.js";
import { Notifications } from "./notifications.js";
import { OldChats } from "./oldChats.js";
import { Reviews } from "./reviews.js";
import { Settings } from "./settings.js";
import { StatusBar } from "./statusBar.js";
import { TerminalViews } from "./terminals.js";

let running: Host | undefined;

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  const logs = new Logs();
  const settings = new Settings();
  const diffs = new DiffViews();
  const reviews = new Reviews();
  const terminals = new TerminalViews();
  const notifications = new Notifications(diffs);
  const statusBar = new StatusBar();
  let view: ChatView | undefined;

  const showStatus = (): void => {
    if (!running) return;
    const { session } = running;
    statusBar.show(session, notifications.waiting);
    view?.showWaiting(notifications.waiting);
    void vscode.commands.executeCommand("setContext", "turnwire.running", running.conversation.busy);
    void vscode.commands.executeCommand("setContext", "turnwire.canLogOut", running.conversation.live?.canLogOut ?? false);
  };
  const editor = new CodeEditor({
    diffs,
    reviews,
    terminals,
    showLog: () => logs.log.show(),
    asked: (ask) => {
      notifications.asked(ask, view?.visible ?? false);
      showStatus();
    },
    settled: (id) => {
      notifications.settled(id);
      showStatus();
    },
    sessionChanged: showStatus,
  });
  // A window without a folder has no storage.
  const storage = context.storageUri ?? context.globalStorageUri;
  const { version } = context.extension.packageJSON as { version: string };
  const oldChats = await OldChats.find(storage.fsPath);
  const host = new Host({
    editor,
    machine: thisMachine,
    agents: settings,
    memory: new Memory(join(storage.fsPath, "chat.json")),
    chosen: new StateFile(join(storage.fsPath, "chosen.json")),
    queued: new StateFile(join(storage.fsPath, "queue.json")),
    version,
    traffic: logs.traffic,
    onEvent: (event) => logs.event(event),
  });
  running = host;
  const agentHost = new AgentHost(settings, join(context.globalStorageUri.fsPath, "serve"), logs.log);
  view = new ChatView(context.extensionUri, host, (visible) => notifications.chatVisible(visible));
  context.subscriptions.push(
    logs,
    diffs,
    reviews,
    terminals,
    notifications,
    statusBar,
    agentHost,
    vscode.window.registerWebviewViewProvider(viewId, view, { webviewOptions: { retainContextWhenHidden: false } }),
    registerCommands({ host, view, settings, diffs, logs, oldChats, agentHost, notifications }),
    // A chat that was never shown starts when it is opened.
    vscode.workspace.onDidGrantWorkspaceTrust(() => {
      if (view?.visible || host.session.status === "failed") void host.conversation.start();
    }),
    vscode.workspace.onDidChangeConfiguration((change) => {
      if (change.affectsConfiguration("turnwire")) host.conversation.facts.change({ agents: settings.names() });
    }),
  );
  showStatus();
}

/** The editor waits briefly for this: the agent is asked to exit, so that it can save the chat. */
export async function deactivate(): Promise<void> {
  await running?.close();
  running = undefined;
}
