/** As it is where a shell takes it so. */
export function word(text: string): string {
  return /^[A-Za-z0-9_@%+=:,./#[\]-]+$/.test(text) && !text.startsWith('#') && !/[[\]]/.test(text) ? text : quote(text);
}

/** As one word, in single quotes. */
export function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
