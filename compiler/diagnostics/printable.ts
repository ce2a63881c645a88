/** Text on one line and without control characters: what a source holds is not passed on to a terminal as it is. */
export function printable(text: string): string {
  return text
    .replace(/\t/g, ' ')
    .replace(/[^\P{Cc}\n]/gu, '\ufffd')
    .replace(/\n/g, ' ');
}
