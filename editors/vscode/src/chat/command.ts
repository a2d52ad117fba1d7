/** The command that starts an agent. */
export interface Command {
  /** A path, or a name in PATH; in a page, the agent's path on its server. */
  command: string;
  args: string[];
  /** Added to the environment. */
  env: Record<string, string>;
}

/** Formats words as a user would type them. */
export const commandLine = (words: readonly string[]): string => words.map(quoted).join(" ");

const quoted = (word: string): string => (/^[\w@%+=:,./\\-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`);
