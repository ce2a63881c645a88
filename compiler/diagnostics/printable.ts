/** Text on one line and without control characters, safe to print on a terminal. */
export function printable(text: string): string {
  return text
    .replace(/\t/g, ' ')
    .replace(/[^\P{Cc}\n]/gu, '\ufffd')
    .replace(/\n/g, ' ');
}
