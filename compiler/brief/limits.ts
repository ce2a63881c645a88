import type { Located, Report } from '../diagnostics/diagnostic';

/** How much a brief may list. Each role is an agent, each server a process, and each section a part of every prompt. */
export const MOST = { roles: 16, servers: 16, sections: 64, authorized: 256 } as const;

/** Refuses a list with too many entries, at the first that is one too many. @param key what is listed, as its key */
export function checkCount(key: string, entries: readonly Pick<Located<string>, 'at'>[], most: number, report: Report): void {
  const first = entries[most];
  if (first) report('brief.too-many', first.at, `"${key}" has ${entries.length} entries, and may have ${most}`, 'leave some of them out');
}
