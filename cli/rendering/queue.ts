import type { AttemptView, QueueView, TicketView } from '../../plan/queue/queue-view';
import type { TicketOutcome } from '../../plan/queue/ticket';
import { unreachable } from '../../plan/unreachable';
import type { Terminal } from '../terminal';
import { oneLine } from './text/printable';
import { renderTable } from './text/table';
import { localTime } from './text/time';

type Shown = Pick<Terminal, 'colors' | 'live' | 'columns'>;

const SHORT = 10;
const MOST_PATHS = 5;

/** The queue: what is tested, what waits, what came back and why. */
export function renderQueue(queue: string, { line, waiting, moreWaiting = 0, done, paused, settings }: QueueView, terminal: Shown): string {
  const rows = [
    ...line.flatMap((attempt) =>
      attempt.tickets.map((ticket) => [...cellsOf(ticket), attempt.stage, withRemarks(progressOf(attempt), ticket)]),
    ),
    ...waiting.map((ticket) => [...cellsOf(ticket), ticket.candidate === undefined ? 'being read' : 'waiting', '']),
    ...done.map((ticket) => [
      ...cellsOf(ticket),
      ticket.outcome.kind,
      withRemarks(`${localTime(ticket.at)} ${outcomeText(ticket.outcome)}`, ticket),
    ]),
  ];
  const { colors } = terminal;
  const by = paused?.by === undefined ? '' : ` by ${paused.by}`;
  const why = paused?.reason === undefined ? '' : `: ${oneLine(paused.reason)}`;
  const head = [
    colors.bold(queue),
    ...(paused ? [`paused${by}${why}`] : []),
    ...(settings && settings.test === undefined ? ['no test of its own'] : []),
  ];
  const more = moreWaiting > 0 ? `and ${moreWaiting} more\n` : '';
  const table =
    rows.length === 0 ? 'nothing waits\n' : renderTable(['TICKET', 'CANDIDATE', 'TITLE', 'AUTHOR', 'STATE', ''], rows, terminal);
  return `${head.join(' · ')}\n${table}${more}`;
}

function progressOf({ onto, trouble }: AttemptView): string {
  const parts = [
    onto === undefined ? undefined : `on ${short(onto)}`,
    trouble === undefined ? undefined : `tried again: ${oneLine(trouble)}`,
  ];
  return parts.filter((part) => part !== undefined).join('; ');
}

/** Remarks that somebody should look at come after the result. */
function withRemarks(text: string, { remarks = [] }: TicketView): string {
  return [text, ...remarks.map(oneLine)].filter((part) => part !== '').join('; ');
}

function cellsOf({ ticket, candidate = '', title = '', author = '' }: TicketView): string[] {
  return [String(ticket), short(candidate), oneLine(title), oneLine(author)];
}

function short(commit: string): string {
  return commit.slice(0, SHORT);
}

function outcomeText(outcome: TicketOutcome): string {
  switch (outcome.kind) {
    case 'merged':
      return outcome.already ? 'the branch had it already' : `in ${short(outcome.result)}`;
    case 'conflict':
    case 'restricted':
    case 'markers':
      return named(outcome.paths, outcome.morePaths);
    case 'unrelated':
      return 'it shares no history with the branch';
    case 'red':
      return `${oneLine(outcome.reason)}${outcome.output ? `; output: ${outcome.output.sha256.slice(0, 12)}` : ''}`;
    case 'refused':
    case 'failed':
      return oneLine(outcome.message);
    case 'dropped':
      return outcome.by === undefined ? '' : `by ${outcome.by}`;
    default:
      return unreachable(outcome);
  }
}

function named(paths: readonly string[], hidden = 0): string {
  const more = paths.length - MOST_PATHS + hidden;
  return `${paths.slice(0, MOST_PATHS).map(oneLine).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
