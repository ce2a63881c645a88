import { defined } from '../../plan/defined';
import { fillForm } from '../../plan/expressions/form';
import type { FrozenQuorum } from '../../plan/people/quorum';
import { type Action, describeActions } from '../../plan/steps/action';
import type { Description, Words } from '../../plan/steps/description';
import { fact, stepLabel } from '../../plan/steps/description-parts';
import { partId } from '../../plan/steps/part-id';
import type { IncrementsStep } from '../../plan/steps/step';
import { duration } from '../../plan/text/duration';
import type { Json } from '../../plan/text/json';
import { FINAL_PART } from './model';
import { INCREMENT_GATES } from './rules/words';
import { describeCurrent, describeProgress } from './view';

export interface ShownIncrements {
  kind: 'increments';
  plan: Json;
  executor: string;
  validator?: string;
  /** The commands, by gate. */
  gates: Record<string, string>;
  final?: string;
  fixes: number;
  taskTimeoutMs: number;
  blockedShare: string;
  onBlocked: Action[];
}

export const INCREMENTS_DESCRIPTION: Description<IncrementsStep, ShownIncrements> = {
  data: (step, words) => ({
    kind: 'increments',
    plan: fillForm(step.matter, (template) => words.value(template)),
    ...{ executor: step.executor, fixes: step.fixes, taskTimeoutMs: step.taskTimeoutMs, onBlocked: step.onBlocked },
    ...defined({ validator: step.validator, final: commandOf(step, FINAL_PART, words) }),
    gates: Object.fromEntries(
      INCREMENT_GATES.flatMap((gate) => {
        const command = commandOf(step, gate, words);
        return command === undefined ? [] : [[gate, command]];
      }),
    ),
    blockedShare: describeShare(step.blockedShare),
  }),
  line: ({ executor }) => `${executor} delivers a plan in increments`,
  facts: ({ plan, gates, validator, final, fixes, taskTimeoutMs, blockedShare, onBlocked }) => [
    ...fact('plan', typeof plan === 'string' ? plan : JSON.stringify(plan)),
    ...Object.entries(gates).flatMap(([gate, command]) => fact(`gate ${gate}`, command)),
    ...fact('validator', validator),
    ...fact('fixes', `at most ${fixes} for an increment, ${duration(taskTimeoutMs)} a task`),
    ...fact('validation of the whole', final),
    ...fact('stops', `if more than ${blockedShare} of the increments are blocked`),
    ...fact('on blocked', describeActions(onBlocked)),
  ],
  label: ({ executor, gates }, view) =>
    stepLabel(
      view?.delivery
        ? [describeProgress(view.delivery), describeCurrent(view.delivery)]
        : [executor, gates.length > 0 && `${gates.length} ${gates.length === 1 ? 'gate' : 'gates'}`],
    ),
  shape: 'frame',
  frame: 'loop',
};

function commandOf({ id, parts }: IncrementsStep, part: string, words: Words): string | undefined {
  const found = parts.find((one) => one.id === partId(id, part));
  return found?.kind === 'command' && 'shell' in found.command ? words.shell(found.command.shell, false) : undefined;
}

function describeShare(share: FrozenQuorum): string {
  if (typeof share === 'number') return String(share);
  return 'count' in share ? String(share.count) : share.share.join('/');
}
