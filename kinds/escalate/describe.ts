import { defined } from '../../plan/defined';
import { fillForm } from '../../plan/expressions/form';
import { type Action, describeActions } from '../../plan/steps/action';
import type { Description } from '../../plan/steps/description';
import { fact, stepLabel } from '../../plan/steps/description-parts';
import type { EscalateStep } from '../../plan/steps/step';
import { duration } from '../../plan/text/duration';
import type { Json } from '../../plan/text/json';
import { CHECK_PART, PERSON_PART } from './model';
import { describeLevel } from './view';

export interface ShownEscalate {
  kind: 'escalate';
  issue?: Json;
  levels: { name: string; attempts: number }[];
  /** How long a person is awaited. `onTimeout` says what follows then. */
  personWithinMs?: number;
  onTimeout?: 'workaround' | 'stop';
  solvedWhen?: string;
  onRootCause?: Action[];
  remember?: true;
}

export const ESCALATE_DESCRIPTION: Description<EscalateStep, ShownEscalate> = {
  data: ({ id, matter, levels, onRootCause, remember, parts }, words) => {
    const person = parts.find((part) => part.id === `${id}_${PERSON_PART}`);
    const check = parts.find((part) => part.id === `${id}_${CHECK_PART}`);
    const silence = person?.kind === 'approval' ? person.onTimeout : undefined;
    return {
      kind: 'escalate',
      ...defined({ issue: matter && fillForm(matter, (template) => words.value(template)) }),
      levels: levels.map(({ name, attempts }) => ({ name, attempts })),
      ...defined({
        personWithinMs: person?.timeoutMs,
        onRootCause,
        remember,
        onTimeout: silence && (silence === 'reject' ? 'stop' : 'workaround'),
        solvedWhen: check?.kind === 'command' && 'shell' in check.command ? words.shell(check.command.shell, false) : undefined,
      }),
    };
  },
  line: ({ levels }) => `up the levels: ${levels.map(({ name }) => name).join(' → ')}`,
  facts: ({ issue, levels, personWithinMs, onTimeout, solvedWhen, onRootCause, remember }) => [
    ...fact('issue', issue === undefined ? 'what an action passes on' : textOf(issue)),
    ...fact('attempts', levels.map(({ name, attempts }, i) => `L${i} ${name}: ${attempts}`).join(', ')),
    ...fact('solved when', solvedWhen ?? 'a level says so'),
    ...fact('a person is waited for', personWithinMs === undefined ? undefined : `${duration(personWithinMs)}, then ${onTimeout ?? ''}`),
    ...fact('on root cause', onRootCause && describeActions(onRootCause)),
    ...fact('remembers', remember && 'what L1 solves, as a pattern for L0'),
  ],
  label: ({ levels }, view) => stepLabel([view?.escalation ? describeLevel(view.escalation) : levels.map(({ name }) => name).join(' → ')]),
  shape: 'frame',
  frame: 'escalation',
};

function textOf(issue: Json): string {
  return typeof issue === 'string' ? issue : JSON.stringify(issue, null, 2);
}
