import type { Expr } from '../../plan/expressions/expression';
import type { Action } from '../../plan/steps/action';
import type { Block, Step } from '../../plan/steps/step';

/** The parts of pipelines, and the rules by which the compiler would refuse some. */

export const KINDS = [
  'agent',
  'agent',
  'agent',
  'command',
  'command',
  'command',
  'review',
  'review',
  'review',
  'approval',
  'approval',
  'input',
  'notify',
  'wait',
  'parallel',
  'group',
  'loop',
  'repeat',
  'switch',
  'child',
  'asking',
] as const;

export const BUDGETED: readonly string[] = ['agent', 'review', 'parallel', 'group', 'loop', 'repeat', 'child'];

export const ERRORS: [Action[], ...Action[][]] = [
  [{ kind: 'continue' }],
  [{ kind: 'skip' }],
  [{ kind: 'skip_rest' }],
  [{ kind: 'hold' }],
  [
    { kind: 'notify', channel: '#news' },
    { kind: 'escalate', to: { kind: 'human' } },
  ],
];
/** The actions after the last round of a repeat. */
export const EXHAUSTED: [Action[], ...Action[][]] = [
  [{ kind: 'continue' }],
  [{ kind: 'skip_rest' }],
  [{ kind: 'hold' }],
  [{ kind: 'stop' }],
  [
    { kind: 'notify', channel: '#news' },
    { kind: 'escalate', to: { kind: 'human' } },
  ],
];
export const BLOCKS: [Action[], ...Action[][]] = [
  [{ kind: 'escalate', to: { kind: 'human' } }],
  [{ kind: 'stop' }],
  [{ kind: 'continue' }],
  [{ kind: 'notify', channel: '#news' }],
  [{ kind: 'hold' }],
];

export function names(outside: readonly string[], upstream: readonly Step[]): string[] {
  return [...outside, ...upstream.map((step) => step.id)];
}

/** All that must be settled before a step with these dependencies. */
export function reachable(steps: readonly Step[], after: readonly string[]): Step[] {
  const found = new Set<string>();
  const visit = (id: string): void => {
    if (found.has(id)) return;
    found.add(id);
    for (const next of steps.find((step) => step.id === id)?.after ?? []) visit(next);
  };
  for (const id of after) visit(id);
  return steps.filter((step) => found.has(step.id));
}

/** Branches do not refer to each other. */
export function withoutSiblings(step: Step, branches: readonly Step[]): Step {
  const ids = branches.map((branch) => branch.id);
  const { inputs, onError, when, ...rest } = step;
  const left = inputs?.filter((id) => !ids.includes(id)) ?? [];
  const refers = (action: Action): boolean => action.kind === 'retry' && action.step !== step.id && ids.includes(action.step);
  const kept = onError?.some(refers) ? {} : onError ? { onError } : {};
  const rejecting = rest.kind === 'approval' && rest.onReject?.some(refers) ? { onReject: [] } : {};
  const asking = rest.approval?.onReject?.some(refers) ? { approval: {} } : {};
  return {
    ...rest,
    ...kept,
    ...rejecting,
    ...asking,
    ...(left.length > 0 ? { inputs: left } : {}),
    ...(reads(when, ids) || !when ? {} : { when }),
  } as Step;
}

function reads(when: Expr | undefined, ids: readonly string[]): boolean {
  return when !== undefined && ids.some((id) => JSON.stringify(when).includes(`"${id}"`));
}

/** As in the compiler: a command or a message directly after another one, with no decision between them. */
function isChainable(order: Block['order'], before: readonly Step[], step: Step): boolean {
  const last = before.at(-1);
  return order === 'sequence' && last !== undefined && isLink(last) && isLink(step) && !step.when;
}

/** The step, in one activity with the step before it if that is allowed. */
export function inChain(order: Block['order'], before: readonly Step[], step: Step): Step {
  return isChainable(order, before, step) ? { ...step, chained: true } : step;
}

function isLink(step: Step): boolean {
  return step.kind === 'notify' ? step.timeoutMs === undefined : step.kind === 'command' && !step.approval;
}
