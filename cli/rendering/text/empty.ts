/**
 * The text of a command that has nothing to show, and what to type next: `no runs; start one with: thermidor run PIPELINE`. `flags` lead to
 * the server that was asked.
 */
export function renderEmpty(what: string, how: string, line: string, flags = ''): string {
  return `${what}; ${how}: thermidor ${line}${flags}\n`;
}
