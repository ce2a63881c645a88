/** The word unquoted if a shell reads it unchanged. */
export function shellWord(text: string): string {
  return /^[A-Za-z0-9_@%+=:,./#[\]-]+$/.test(text) && !text.startsWith('#') && !/[[\]]/.test(text) ? text : shellQuote(text);
}

/** The word unquoted if every shell reads it unchanged. People paste what is made of it. */
export function safeWord(text: string): string {
  return /^[A-Za-z0-9_@%+=:,./-]+$/.test(text) ? text : shellQuote(text);
}

/** The text as one word, in single quotes. */
export function shellQuote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
