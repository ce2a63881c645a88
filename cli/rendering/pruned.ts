import type { Amount } from '../../records/old-content';
import type { PruneReport } from '../../records/pruning/prune-store';
import type { Terminal } from '../terminal';
import { renderTable } from './text/table';
import { bytes } from './text/usage';

/** What a prune has removed, or would; `work`: folders that steps of this host worked in. */
export interface Pruned extends PruneReport {
  work: Amount;
}

const NAMES = {
  runs: 'runs',
  logs: 'logs of steps',
  content: 'outputs, plans and the like',
  environments: 'environments of callers',
  links: 'links of gates',
  outputs: 'folders of named outputs',
  work: 'work folders of this host',
} as const satisfies Partial<Record<keyof Pruned, string>>;

export function renderPruned(pruned: Pruned, dryRun: boolean, place: Pick<Terminal, 'colors' | 'live' | 'columns'>): string {
  const { colors } = place;
  const rows = (Object.keys(NAMES) as (keyof typeof NAMES)[])
    .filter((part) => pruned[part].count > 0)
    .map((part) => [NAMES[part], String(pruned[part].count), bytes(pruned[part].bytes)]);
  const silent = pruned.silent.map(({ workflowId }) => workflowId);
  return [
    rows.length === 0 ? 'nothing to remove\n' : renderTable([dryRun ? 'WOULD REMOVE' : 'REMOVED', 'COUNT', 'SIZE'], rows, place),
    silent.length === 0 ? '' : `${colors.yellow('!')} ${silentText(silent)}\n`,
  ].join('');
}

const NAMED = 3;

function silentText(runs: readonly string[]): string {
  const more = runs.length > NAMED ? ` and ${runs.length - NAMED} more` : '';
  return `open, and without an answer: ${runs.slice(0, NAMED).join(', ')}${more}; outputs that were stored since they began stay`;
}
