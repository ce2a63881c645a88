import { type Action, advises, describeTarget } from '../../plan/action';

/** What an `on_…` key does, in words. */
export function describeAction(action: Action): string {
  switch (action.kind) {
    case 'retry':
      return `retry ${action.step}, at most ${action.max}`;
    case 'escalate':
      return `escalate to ${describeTarget(action.to)}${advises(action.to) ? ', who advises a person' : ''}`;
    case 'notify':
      return `notify ${action.channel}`;
    default:
      return action.kind;
  }
}

export function describeActions(actions: readonly Action[]): string {
  return actions.map(describeAction).join(', then ');
}
