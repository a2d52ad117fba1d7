/** How an agent is reached. */
export interface Command {
  /** A path, or a name that is in PATH; in a page, the path of the agent at its server. */
  command: string;
  args: string[];
  /** Added to the environment. */
  env: Record<string, string>;
}

/** Words as a person would type them. */
export const commandLine = (words: readonly string[]): string => words.map(quoted).join(" ");

const quoted = (word: string): string => (/^[\w@%+=:,./\\-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`);
