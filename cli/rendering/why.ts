import type { WaitReason } from '../../client/wait-reason';
import { starterText } from '../../plan/people/starter';
import type { RunView } from '../../plan/run/status';
import { duration } from '../../plan/text/duration';
import type { Colors } from '../terminal';
import { runStateText } from './states';
import { namedAddress } from './step-tree';
import { oneLine } from './text/printable';
import { localTime } from './text/time';

export type RenderedReason = WaitReason & { clear: readonly string[] };

/** What a run waits for, in words: the reason, since when, who can clear it, and the commands that do. */
export function renderWhy(
  { run, state, startedBy }: Pick<RunView, 'run' | 'state' | 'startedBy'>,
  reasons: readonly RenderedReason[],
  colors: Colors,
  now: number,
): string {
  const starter = startedBy === undefined ? '' : `  ${colors.dim(`started by ${oneLine(starterText(startedBy))}`)}`;
  const lines = [`${colors.bold(run)}  ${runStateText(state, colors)}${starter}`];
  for (const reason of reasons) {
    const { step, item, text, since, until, remindAt, note, said = [], who, clear } = reason;
    lines.push(`${mark(reason, colors)} ${step === undefined ? '' : `${colors.bold(namedAddress(step, item))}  `}${oneLine(text)}`);
    const times = [
      since === undefined ? '' : `since ${localTime(since)} (${duration(now - Date.parse(since))})`,
      until === undefined ? '' : `until ${localTime(until)}`,
      remindAt === undefined ? '' : `next reminder ${localTime(remindAt)}`,
    ].filter((fact) => fact !== '');
    if (times.length > 0) lines.push(`  ${colors.dim(times.join(', '))}`);
    for (const one of said) lines.push(`  ${oneLine(`${one.agent} ${one.said}`)}`);
    if (note !== undefined) lines.push(`  ${colors.dim(oneLine(note))}`);
    if (who !== undefined) lines.push(`  ${colors.dim('can be cleared by:')} ${oneLine(who)}`);
    lines.push(...clear.map((line) => `    ${line}`));
  }
  return `${lines.join('\n')}\n`;
}

function mark({ kind }: WaitReason, colors: Colors): string {
  switch (kind) {
    case 'works':
    case 'starting':
    case 'opening':
    case 'child':
      return colors.cyan('▸');
    case 'raised':
      return colors.yellow('!');
    case 'ended':
    case 'skipped':
      return colors.dim('■');
    default:
      return colors.yellow('?');
  }
}
