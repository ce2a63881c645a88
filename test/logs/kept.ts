import { LogFiles } from '../../records/directory/step-logs/log-files';
import type { LogEntry } from '../../records/step-logs';
import { KEY } from '../activities/workshop';

export async function entriesOf(root: string, name: string, from = 0): Promise<LogEntry[]> {
  const entries: LogEntry[] = [];
  for await (const entry of new LogFiles(root).read(KEY, name, from)) entries.push(entry);
  return entries;
}

/** What programs printed, as `out text`, with `+` if the line continues. */
export async function printed(root: string, name: string): Promise<string[]> {
  const entries = await entriesOf(root, name);
  return entries.flatMap((entry) =>
    entry.kind === 'line' && entry.from !== 'note' ? `${entry.from.slice(3)}${entry.goesOn ? '+' : ''} ${entry.text}` : [],
  );
}

/** Lines as they were printed: what pauses within a line, or ends late on a busy machine, is kept in pieces. */
export async function printedWhole(root: string, name: string): Promise<string[]> {
  const whole: string[] = [];
  for (const piece of await printed(root, name)) {
    const [, from = '', more, text = ''] = /^(\w+)(\+?) (.*)$/s.exec(piece) ?? [];
    const begun = more === '+' ? whole.findLastIndex((line) => line.startsWith(`${from} `)) : -1;
    if (begun < 0) whole.push(`${from} ${text}`);
    else whole[begun] += text;
  }
  return whole;
}

/** The notes that Thermidor itself adds. */
export async function noted(root: string, name: string): Promise<string[]> {
  return (await entriesOf(root, name)).flatMap((entry) => (entry.kind === 'line' && entry.from === 'note' ? [entry.text] : []));
}
