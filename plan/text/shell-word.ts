/** As it is where a shell takes it so. */
export function shellWord(text: string): string {
  return /^[A-Za-z0-9_@%+=:,./#[\]-]+$/.test(text) && !text.startsWith('#') && !/[[\]]/.test(text) ? text : shellQuote(text);
}

/** As one word, in single quotes. */
export function shellQuote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
