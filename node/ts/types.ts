/** What to run: a list is a program and its arguments and involves no shell, a text is a script for `sh -c`. */
export type Command = string | readonly (string | Uint8Array)[];

/** A size in bytes, or a text such as `'512m'` or `'1.5g'` with powers of 1024. */
export type Size = number | string;
