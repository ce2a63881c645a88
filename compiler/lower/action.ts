import type { Action } from '../../plan/action';
import { unreachable } from '../../plan/unreachable';
import type { Place } from '../places';
import type { ActionKey, ActionSource } from '../shape/action';
import { type Context, noteChannel, upstreamStep } from './context';
import { targetOf } from './people';

/** Actions as written → the plan's, names checked. What goes back to a step goes back within its own block. */
export function actionsOf(sources: readonly ActionSource[], key: ActionKey, of: Place, context: Context): Action[] {
  return sources.flatMap((source) => actionOf(source, key, of, context) ?? []);
}

function actionOf(source: ActionSource, key: ActionKey, of: Place, context: Context): Action | undefined {
  switch (source.kind) {
    case 'retry': {
      const itself = key === 'on_error' || key === 'on_invalid' || (key === 'on_reject' && of.step.approval !== undefined);
      return upstreamStep(source.step, of, key, context, { itself, sameBlock: true })
        ? { kind: 'retry', step: source.step.value, max: source.max }
        : undefined;
    }
    case 'escalate':
      return { kind: 'escalate', to: targetOf(source.to, context) };
    case 'notify':
      noteChannel(source.channel, context);
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
