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

/** The notes that Thermidor itself adds. */
export async function noted(root: string, name: string): Promise<string[]> {
  return (await entriesOf(root, name)).flatMap((entry) => (entry.kind === 'line' && entry.from === 'note' ? [entry.text] : []));
}
