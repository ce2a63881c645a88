import type { TaskDetails } from '../../plan/board/board-details';
import { taskLine } from '../../plan/board/board-lines';
import { BOARD, type BoardMessage } from '../../plan/board/message';
import type { Colors } from '../terminal';
import { manyLines, oneLine } from './text/printable';
import { localTime } from './text/time';

/** A task in full. `texts` are whole. */
export function renderTask(
  task: TaskDetails,
  { description, returned, result }: { description?: string; returned?: string; result?: string },
  colors: Colors,
): string {
  const { created_by: by, created_at: at, claimed_at: claimed, claim_source: source, ended_at: ended, attempts, cost, priority } = task;
  const fact = (name: string, value: string | undefined): string[] =>
    value === undefined ? [] : [`${colors.dim(`${name}:`.padEnd(10))} ${oneLine(value)}`];
  const text = (name: string, value: string | undefined): string[] =>
    value === undefined ? [] : [`\n${colors.dim(`${name}:`)}\n${manyLines(value)}`];
  const lines = [
    colors.bold(oneLine(taskLine(task))),
    ...fact('created', `${localTime(at)}${by === BOARD ? '' : ` by ${by}`}`),
    ...fact('claimed', claimed && `${localTime(claimed)} by ${task.owner ?? 'nobody any more'}${source === 'auto' ? '' : ', itself'}`),
    ...fact('ended', ended && localTime(ended)),
    ...fact('priority', priority === undefined ? undefined : String(priority)),
    ...fact('attempts', attempts === 0 ? undefined : String(attempts)),
    ...fact('cost', cost === undefined ? undefined : cost === null ? 'unknown' : `$${cost.toFixed(4)}`),
    ...text('description', description),
    ...text(`came back from ${oneLine(task.returned?.by ?? '')}`, returned),
    ...text('result', result),
  ];
  return `${lines.join('\n')}\n`;
}

export function renderLetters(messages: readonly BoardMessage[], colors: Colors): string {
  return messages
    .map(({ type, from, at, content, requestId }) => {
      const request = requestId === undefined ? '' : ` ${requestId}`;
      return `${colors.bold(oneLine(from))}  ${colors.dim(`${type}${request}, ${localTime(at)}`)}\n${manyLines(content)}\n`;
    })
    .join('\n');
}
