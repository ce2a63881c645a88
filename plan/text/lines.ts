/** A text's lines, whichever way they end. A byte order mark before the first is left out. */
export function linesOf(text: string): string[] {
  return withoutMark(text).split(/\r\n|\n|\r/);
}

/** A text without the byte order mark that PowerShell and .NET write before it. */
export function withoutMark(text: string): string {
  return text.startsWith('\uFEFF') ? text.slice(1) : text;
}
