import type { GrantInForce } from '../../records/lasting-grants';
import type { Terminal } from '../terminal';
import { oneLine } from './text/printable';
import { renderTable } from './text/table';
import { localTime } from './text/time';

export function renderGrants(grants: readonly GrantInForce[], terminal: Pick<Terminal, 'colors' | 'live' | 'columns'>): string {
  const rows = grants.map(({ project, category, by, at, run }) => [project, category, by ?? 'somebody', localTime(at), run].map(oneLine));
  return renderTable(['project', 'category', 'granted by', 'at', 'in run'], rows, terminal);
}
