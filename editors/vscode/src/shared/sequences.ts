/** Terminal sequences, as regular expressions. */

/** Operating system commands, device strings and the like, up to their end or the row's. */
export const strings = /(?:\x1b[\]PX^_]|[\x90\x98\x9d-\x9f])[^\x07\x1b\x9c\n]*(?:\x07|\x1b\\|\x9c|(?=\n)|$)/g;
/** Control sequences other than colours. */
export const sequences = /(?:\x1b\[|\x9b)[0-?]*[ -/]*(?:[@-ln-~]|$)|\x1b[ -/]*[0-Z\\^-~]/g;
const colours = /(?:\x1b\[|\x9b)([\d;:]*)m/g;

/** Returns the text that a terminal would show, without colours. */
export const withoutSequences = (text: string): string => text.replace(strings, "").replace(sequences, "").replace(colours, "");
