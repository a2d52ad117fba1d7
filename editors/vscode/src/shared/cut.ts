/** Stands for the part that was cut out of a long text. */
export const cutMark = "\n… part omitted …\n";
