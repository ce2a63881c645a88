import type { Phase } from '../../plan/brief/note';
import type { Terminal } from '../terminal';
import { oneLine, truncate } from './text/printable';
import { renderTable } from './text/table';
import { localTime } from './text/time';

export interface ListedBrief {
  project: string;
  /** Absent: it is made when the brief is started. */
  briefId?: string;
  /** That of its run, or `not started`. */
  state: string;
  run?: string;
  phase?: Phase;
  /** What its coordinator does. */
  at?: string;
  startedAt?: string;
  file?: string;
}

/** A reason may be a paragraph; `status` has all of it. */
const MOST_AT = 80;

export function renderBriefs(briefs: readonly ListedBrief[], terminal: Pick<Terminal, 'colors' | 'columns' | 'live'>): string {
  const rows = briefs.map(({ project, briefId, state, phase, at, startedAt, run, file }) => [
    oneLine(project),
    oneLine(briefId ?? ''),
    state,
    phase === undefined ? '' : String(phase),
    truncate(oneLine(at ?? ''), MOST_AT),
    startedAt === undefined ? '' : localTime(startedAt),
    run ?? '',
    file ?? '',
  ]);
  return renderTable(['PROJECT', 'BRIEF', 'STATE', 'PHASE', 'AT', 'STARTED', 'RUN', 'FILE'], rows, terminal);
}
