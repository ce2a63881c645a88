import type { ControlOf, ControlStep } from './control';
import { describeQuorum, joinOf, mustApprove } from './quorum';
import { isLate, type Stage } from './stage';
import type { StepView } from './status';

/** Who does a step, where, or how: the second line of its box. */
export function graphLabel(step: ControlStep, view: StepView | undefined): string | undefined {
  switch (step.kind) {
    case 'agent':
    case 'review':
      return step.agent;
    case 'approval':
      return facts([step.channel, mustApprove(step) ?? false]);
    case 'input':
      return facts(['asks for a value', step.channel]);
    case 'notify':
      return step.channel;
    case 'wait':
      return step.signal === undefined ? undefined : `signal ${step.signal}`;
    case 'command':
    case 'group':
      return undefined;
    case 'stages':
      return stageNames(step) ?? 'pipe';
    case 'parallel':
      return facts([waitOf(step), atOnce(step.maxConcurrent)]);
    case 'for_each':
      return facts([
        'each item',
        atOnce(step.maxConcurrent),
        view?.iterations !== undefined && `${view.iterations.done}/${view.iterations.total}`,
      ]);
    default:
      return `pipeline ${step.pipeline}`;
  }
}

/** A whole plan says which stages; what enters history leaves them out. */
function stageNames(step: ControlOf<'stages'> & { stages?: readonly Stage[] }): string | undefined {
  return step.stages?.map((stage) => (isLate(stage) ? '…' : stage.name)).join(' | ');
}

function waitOf(step: ControlOf<'parallel'>): string {
  const join = joinOf(step);
  if (join === 'all') return 'all';
  return join === 'any' ? 'the first' : describeQuorum(join.needed, join.of);
}

function atOnce(most: number | undefined): string | false {
  return most !== undefined && most > 1 && `${most} at once`;
}

function facts(list: readonly (string | false | undefined)[]): string | undefined {
  const text = list.filter((fact) => fact !== undefined && fact !== false).join(', ');
  return text === '' ? undefined : text;
}
