/** The folder where the extension stores what a workspace's window shows. */
import { basename, dirname, join } from "node:path";

/**
 * Returns the workspace's own folder for `context.storageUri`.
 *
 * An extension host locks its workspace's folder, `workspaceStorage/<id>`, until it exits. If the
 * folder is locked, VS Code tries `<id>-1` to `<id>-9`. So a reloaded window would find none of its
 * chats if its previous extension host is slow to exit. All windows of a workspace share the folder
 * without the number: the last one that writes a file wins. An id may begin with a hyphen.
 */
export function workspaceFolder(storage: string): string {
  const folder = dirname(storage);
  const [, id] = /^(.+)-[1-9]$/.exec(basename(folder)) ?? [];
  return id === undefined ? storage : join(dirname(folder), id, basename(storage));
}
