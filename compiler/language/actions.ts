import { CALLED_KINDS, CALLING_ACTIONS, type CalledKind } from '../../kinds/traits';
import type { CallingAction } from '../../plan/steps/kind-traits';

/**
 * What an `on_…` key may do. A word is written alone; a call has arguments and can also be written as an object: `retry(step, max=3)` is
 * `{retry: step, max: 3}`.
 */
export interface ActionRow extends CallingAction {
  form: 'word' | 'call';
  /** A call that needs no arguments may be a word as well. */
  alone?: true;
}

/** Calls of steps, by the kind of the step. */
const CALLS_OF_KINDS = Object.fromEntries(CALLED_KINDS.map((kind) => [kind, { form: 'call', ...CALLING_ACTIONS[kind] }])) as Readonly<
  Record<CalledKind, ActionRow & { form: 'call' }>
>;

export const ACTIONS = {
  stop: {
    form: 'word',
    written: ['stop'],
    meaning: 'the step’s block fails, and everything around it up to the run; after a rejection the run ends as rejected',
  },
  continue: {
    form: 'word',
    written: ['continue'],
    meaning: 'the run continues past the step; after an error the step counts as failed and has no output',
  },
  skip_rest: { form: 'word', written: ['skip_rest'], meaning: 'like `continue`, but the rest of the step’s own block is skipped' },
  hold: {
    form: 'word',
    written: ['hold'],
    meaning: 'the run stays open and waits for an operator’s `retry`, `skip` or `abort`',
  },
  skip: { form: 'word', written: ['skip'], meaning: 'like `continue`, but the step counts as skipped' },
  retry: {
    form: 'call',
    written: ['retry(draft, max=3)', '{ retry: draft, max: 3 }'],
    meaning: 'that step, and everything between it and this one, runs again, at most `max` times (3 by default)',
  },
  escalate: {
    form: 'call',
    written: ['escalate(chief)', 'escalate(human)', 'escalate(human("#desk"))', '{ escalate: chief, decides: agent }'],
    meaning:
      'a person or a member of a group decides how to go on; an agent advises a person, or decides alone with `decides: agent` (in a call: `decides=agent`); an [`escalate`](#escalate) step is called, and runs only then',
  },
  ...CALLS_OF_KINDS,
  return_to_author: {
    form: 'call',
    alone: true,
    written: ['return_to_author', 'return_to_author(max=5)', '{ return_to_author: 5 }'],
    meaning:
      'each step whose candidate came back runs again, with the findings, in its worktree, which is first brought up to date; at most `max` times for each step (3 by default)',
  },
  notify: {
    form: 'call',
    written: ['notify("#desk")', '{ notify: "#desk" }'],
    meaning: 'a message goes to a channel; then the next action of the list runs',
  },
} as const satisfies Record<string, ActionRow>;
export type ActionName = keyof typeof ACTIONS;

/** The actions that each key takes. */
export const ACTIONS_OF = {
  on_error: ['stop', 'continue', 'skip_rest', 'hold', 'retry', 'escalate', ...CALLED_KINDS, 'notify'],
  on_invalid: ['stop', 'continue', 'skip_rest', 'hold', 'retry', 'escalate', ...CALLED_KINDS, 'notify'],
  on_exhausted: ['stop', 'continue', 'skip_rest', 'hold', 'retry', 'escalate', ...CALLED_KINDS, 'notify'],
  on_fail: ['stop', 'continue', 'skip_rest', 'hold', 'retry', 'escalate', ...CALLED_KINDS, 'notify'],
  on_blocked: ['stop', 'continue', 'skip_rest', 'hold', 'retry', 'escalate', ...CALLED_KINDS, 'notify'],
  on_misaligned: ['stop', 'continue', 'skip_rest', 'hold', 'retry', 'escalate', ...CALLED_KINDS, 'notify'],
  on_root_cause: ['retry', 'stop', 'continue', 'hold', 'escalate', ...CALLED_KINDS, 'notify'],
  on_conflict: ['return_to_author', 'stop', 'continue', 'hold', 'escalate', ...CALLED_KINDS, 'notify'],
  on_block: ['stop', 'continue', 'hold', 'escalate', ...CALLED_KINDS, 'notify'],
  on_stall: ['stop', 'continue', 'hold', 'retry', 'escalate', ...CALLED_KINDS, 'notify'],
  on_unfixable: ['stop', 'continue', 'hold', 'retry', 'escalate', ...CALLED_KINDS, 'notify'],
  on_revise: ['retry'],
  on_reject: ['stop', 'skip', 'continue', 'retry', 'notify', 'escalate', ...CALLED_KINDS],
} as const satisfies Record<string, readonly ActionName[]>;
export type ActionKey = keyof typeof ACTIONS_OF;
