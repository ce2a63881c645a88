import type { MemberState, TaskState } from '../../plan/board/board-state';
import { pageOf } from '../../plan/board/exchange';
import { defined } from '../../plan/defined';
import { ThermidorFailure } from '../../plan/run/failure';
import { field, type Json } from '../../plan/text/json';
import { type Board, keptOf, stateOf } from './board';
import { taskRow } from './rows';
import type { BOARD_FIELDS, MEMBER_FIELDS, Row } from './rules/output';

/** The output of the step, without the tasks that are in pages: each with its owner, times, result and attempts; and the members. */
export function resultOf(board: Board): Record<string, Json> {
  const { team, over, tasks, members } = stateOf(board);
  const { refused = [], left = [] } = keptOf(board);
  const rows = [...left, ...tasks.map(taskRow)];
  return defined<Row<typeof BOARD_FIELDS>>({
    ...{ team, end: over ?? 'unfinished' },
    tasks: rows.sort((a, b) => Number(field(a, 'number')) - Number(field(b, 'number'))),
    members: members.map(memberRow),
    messages: refused.map((one) => ({ ...one })),
  });
}

function memberRow({ name, agent, role, status, works, reason }: MemberState): Record<string, Json> {
  return defined<Row<typeof MEMBER_FIELDS>>({ name, agent, role, status, works, reason });
}

const NAMED = 10;

/** A failure travels as a whole: of too many tasks it has those that are left. */
function shownOf(rows: Json = []): Json[] {
  const all = Array.isArray(rows) ? rows : [];
  const isLeft = (row: Json) => field(row, 'status') !== 'completed';
  const shown = new Set(pageOf([...all.filter(isLeft), ...all.filter((row) => !isLeft(row))]));
  return all.filter((row) => shown.has(row));
}

/** The team has ended, and tasks are left. */
export function unfinished({ it, place }: Board, end: Record<string, Json>, left: readonly TaskState[]): ThermidorFailure {
  const names = left.slice(0, NAMED).map(({ number, subject, status }) => `#${number} ${subject} (${status})`);
  const more = left.length > names.length ? ` and ${left.length - names.length} more` : '';
  const message = `the board of ${it.run.name(place.path)} has ended with tasks left: ${names.join(', ')}${more}; run it again from this step to go on with these`;
  return new ThermidorFailure('board.unfinished', message, { ...end, tasks: shownOf(end['tasks']) });
}
