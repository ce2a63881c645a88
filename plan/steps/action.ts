import type { Template } from '../expressions/expression';

/** What an `on_…` key does. A list of actions runs in order. */
export type Action =
  | { kind: 'retry'; step: string; max: number }
  | { kind: 'escalate'; to: EscalationTarget }
  /** Runs a step of this or an enclosing block that runs only when called. */
  | { kind: 'call'; step: string }
  | { kind: 'notify'; channel: string; message?: Template }
  /** For a merge: each author whose candidate came back continues. */
  | { kind: 'return_to_author'; max: number }
  | { kind: 'stop' | 'continue' | 'skip_rest' | 'hold' | 'skip' | 'approve' | 'reject' | 'wait' };

/** Who decides when an agent of the chain is asked: the agent, or a person further up, whom it advises. */
export const DECIDERS = ['human', 'agent'] as const;
export type Decider = (typeof DECIDERS)[number];

/** An entry of an escalation chain: an agent by id, or a person, optionally in a channel. */
export type EscalationTarget =
  | { kind: 'agent'; id: string; decides: Decider }
  /**
   * `people`: who of them decides. `name`: the person or group, as the pipeline has it. `approvers`: if nobody is named, who decides a
   * matter whose own gate names nobody either; absent: anyone.
   */
  | { kind: 'human'; channel?: string; name?: string; people?: string[]; approvers?: string[] };

/** Whether the agent's answer is only advice, and a person decides. */
export function advises(target: EscalationTarget): boolean {
  return target.kind === 'agent' && target.decides === 'human';
}

/** The word people read for a target: `ceo_coo`, `human`, `human("#errors")`. */
export function describeTarget(target: EscalationTarget): string {
  if (target.kind === 'agent') return target.id;
  if (target.name !== undefined) return target.name;
  return target.channel === undefined ? 'human' : `human("${target.channel}")`;
}

/** The lists of actions that a step may have, each for one event. */
const ACTION_LISTS = [
  'onRevise',
  'onBlock',
  'onStall',
  'onUnfixable',
  'onInvalid',
  'onExhausted',
  'onFail',
  'onBlocked',
  'onMisaligned',
  'onRootCause',
  'onReject',
  'onConflict',
  'onError',
] as const;
export type ActionList = (typeof ACTION_LISTS)[number];
type WithActions = { [L in ActionList]?: readonly Action[] } & { approval?: { onReject?: readonly Action[] } };

/** One list of a step; undefined if the step has none, and a default applies. */
export function actionsIn(step: WithActions, list: ActionList): readonly Action[] | undefined {
  return step[list];
}

/** The list that replaces `onError` after this failure, if the step has it. */
export function listAfter(code: string): ActionList | undefined {
  if (code.startsWith('reply.')) return 'onInvalid';
  if (code === 'tracks.blocked') return 'onBlocked';
  return code === 'tracks.misaligned' ? 'onMisaligned' : undefined;
}

/** All actions of a step, including those of the approval after it. */
export function allActions(step: WithActions): readonly Action[] {
  return [...ACTION_LISTS.flatMap((list) => step[list] ?? []), ...(step.approval?.onReject ?? [])];
}

export type Retry = Extract<Action, { kind: 'retry' }>;

/** The step that a list sends back to, and how often at most. */
export function retryIn(actions: readonly Action[] | undefined): Retry | undefined {
  return actions?.find((action) => action.kind === 'retry');
}

/** What an `on_…` key does, in words. */
export function describeAction(action: Action): string {
  switch (action.kind) {
    case 'retry':
      return `retry ${action.step}, at most ${action.max}`;
    case 'escalate':
      return `escalate to ${describeTarget(action.to)}${advises(action.to) ? ', who advises a person' : ''}`;
    case 'call':
      return `call the step ${action.step}`;
    case 'notify':
      return `notify ${action.channel}`;
    case 'return_to_author':
      return `return to the author, at most ${action.max}`;
    default:
      return action.kind;
  }
}

export function describeActions(actions: readonly Action[]): string {
  return actions.map(describeAction).join(', then ');
}
