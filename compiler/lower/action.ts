import type { Action } from '../../plan/steps/action';
import { unreachable } from '../../plan/unreachable';
import type { ActionKey, ActionSource } from '../shape/action';
import type { StepPosition } from '../step-positions';
import { callOf, callOfKind, isCall } from './calls';
import { upstreamStep, useChannel } from './context';
import type { LowerContext } from './lower-context';
import { lowerTarget } from './people/people';

/** Lowers actions to the plan's, names checked. A step can only be retried from within its own block. */
export function lowerActions(sources: readonly ActionSource[], key: ActionKey, of: StepPosition, context: LowerContext): Action[] {
  return sources.flatMap((source) => actionOf(source, key, of, context) ?? []);
}

function actionOf(source: ActionSource, key: ActionKey, of: StepPosition, context: LowerContext): Action | undefined {
  if (isCall(source)) return callOfKind(source, of, context);
  switch (source.kind) {
    case 'retry': {
      const itself = key === 'on_error' || key === 'on_invalid' || (key === 'on_reject' && of.step.approval !== undefined);
      return upstreamStep(source.step, of, key, context, { itself, sameBlock: true })
        ? { kind: 'retry', step: source.step.value, max: source.max }
        : undefined;
    }
    case 'escalate':
      return callOf(source, of, context) ?? { kind: 'escalate', to: lowerTarget(source.to, context) };
    case 'return_to_author':
      return { kind: source.kind, max: source.max };
    case 'notify':
      useChannel(source.channel, context);
      return { kind: 'notify', channel: source.channel.value };
    case 'stop':
    case 'continue':
    case 'skip_rest':
    case 'hold':
    case 'skip':
    case 'approve':
    case 'reject':
    case 'wait':
      return { kind: source.kind };
    default:
      return unreachable(source);
  }
}
