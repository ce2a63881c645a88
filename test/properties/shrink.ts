import { defined } from '../../plan/defined';
import type { Plan } from '../../plan/plan';
import type { Block, Step } from '../../plan/steps/step';
import { examine, type Verdict } from './examine';
import type { Scenario } from './scenario';

/** The maximum number of smaller cases that are tried. */
const ATTEMPTS = 300;

/** Makes a case smaller as long as it fails in the same way: removes steps, keys and disturbances. */
export async function shrink(scenario: Scenario, kind: string): Promise<Scenario> {
  let best = scenario;
  let attempts = 0;
  for (let found = true; found && attempts < ATTEMPTS; ) {
    found = false;
    for (const smaller of candidates(best)) {
      if (attempts >= ATTEMPTS) break;
      attempts += 1;
      if (!(await failures(smaller)).some((violation) => kindOf(violation) === kind)) continue;
      best = smaller;
      found = true;
      break;
    }
  }
  return best;
}

/** The kind of a violation. Violations of one kind differ only in names and numbers. */
export function kindOf(violation: string): string {
  const [first = ''] = violation.split('\n');
  return first
    .replace(/\b[\w[\]/.]*s\d[\w[\]/#~.-]*/g, 'S')
    .replace(/\d+/g, 'N')
    .slice(0, 80);
}

export async function failures(scenario: Scenario): Promise<string[]> {
  return (await attempt(scenario)).violations;
}

/** Examines a case. An exception is a violation, too. */
export async function attempt(scenario: Scenario): Promise<Partial<Verdict> & { violations: string[] }> {
  try {
    return await examine(scenario);
  } catch (error) {
    return { violations: [error instanceof Error ? error.message : String(error)] };
  }
}

function* candidates(scenario: Scenario): Generator<Scenario> {
  for (const { id } of allSteps(scenario.plan)) yield { ...scenario, plan: withoutStep(scenario.plan, id) };
  for (const [name, child] of Object.entries(scenario.children)) {
    for (const { id } of allSteps(child)) yield { ...scenario, children: { ...scenario.children, [name]: withoutStep(child, id) } };
  }
  const { budget, concurrent, ...plain } = scenario.plan;
  if (budget) yield { ...scenario, plan: { ...plain, ...defined({ concurrent }) } };
  if (concurrent !== undefined) yield { ...scenario, plan: { ...plain, ...defined({ budget }) } };
  for (const key of ['delegates', 'escalation', 'requiresApproval'] as const) {
    if (!scenario.plan[key]) continue;
    const { [key]: _key, ...plan } = scenario.plan;
    yield { ...scenario, plan };
  }
  if (scenario.plan.finally) {
    const { finally: _last, ...plan } = scenario.plan;
    yield { ...scenario, plan };
  }
  for (const key of ['mischief', 'operators', 'failures', 'calls', 'batches'] as const)
    if (scenario[key]) yield { ...scenario, [key]: false };
  if (scenario.activitiesPerExecution !== undefined) {
    const { activitiesPerExecution: _full, ...rest } = scenario;
    yield rest;
  }
  if (scenario.crashes > 0) yield { ...scenario, crashes: scenario.crashes - 1 };
  for (const { id, ...keys } of allSteps(scenario.plan)) {
    for (const key of Object.keys(keys)) if (SPARE.includes(key)) yield { ...scenario, plan: withoutKey(scenario.plan, id, key) };
  }
}

/** Keys that a step can do without. */
const SPARE: readonly string[] = [
  'inputs',
  'when',
  'retry',
  'onError',
  'onBlock',
  'onReject',
  'onTimeout',
  'timeoutMs',
  'remindMs',
  'channel',
  'approvers',
  'quorum',
  'fourEyes',
  'critic',
  'stallRounds',
  'approval',
  'wait',
  'merge',
  'onStall',
  'onUnfixable',
  'onRootCause',
  'onBlocked',
  'onMisaligned',
  'policy',
  'maxConcurrent',
  'pauseMs',
  'batchSize',
  'chained',
  'budget',
  'category',
  'comment',
  'identity',
];

function allSteps(plan: Plan): Step[] {
  const visit = (block: Block): Step[] => block.steps.flatMap((step) => [step, ...visit(within(step))]);
  return [...visit(plan.block), ...(plan.finally ? visit(plan.finally) : [])];
}

function within(step: Step): Block {
  if ('branches' in step) return { order: 'graph', steps: step.branches };
  return 'block' in step ? step.block : { order: 'sequence', steps: [] };
}

function mapBlock(block: Block, change: (step: Step) => Step | undefined): Block {
  const steps = block.steps.flatMap((step): Step[] => {
    const changed = change(step);
    if (!changed) return [];
    if ('branches' in changed) return [{ ...changed, branches: mapBlock(within(changed), change).steps }];
    if ('block' in changed) return [{ ...changed, block: mapBlock(changed.block, change) }];
    return [changed];
  });
  return { ...block, steps };
}

function mapPlan(plan: Plan, change: (step: Step) => Step | undefined): Plan {
  return { ...plan, block: mapBlock(plan.block, change), ...(plan.finally ? { finally: mapBlock(plan.finally, change) } : {}) };
}

/**
 * The plan without a step. Later steps depend on the dependencies of that step. Steps that judge it or read its verdict are removed as
 * well, and so are both ends of a stream.
 */
function withoutStep(plan: Plan, id: string): Plan {
  const gone = new Set([id]);
  // The producer is removed as well, because nobody would take its items.
  for (const step of allSteps(plan)) if (step.id === id && 'stream' in step && step.stream !== undefined) gone.add(step.stream);
  for (const step of allSteps(plan))
    if ((step.kind === 'review' && step.of === id) || ('stream' in step && step.stream === id)) gone.add(step.id);
  const removed = allSteps(plan).filter((step) => gone.has(step.id));
  const instead = (list: readonly string[]): string[] => [
    ...new Set(
      list.flatMap((other) =>
        gone.has(other) ? (removed.find((step) => step.id === other)?.after ?? []).filter((far) => !gone.has(far)) : [other],
      ),
    ),
  ];
  const mentions = (value: unknown): boolean => [...gone].some((name) => JSON.stringify(value ?? null).includes(`"${name}"`));
  return mapPlan(plan, (step) => {
    if (gone.has(step.id)) return undefined;
    const { when, inputs, ...rest } = step;
    const cleared = Object.fromEntries(Object.entries(rest).filter(([key, value]) => !ACTIONS.includes(key) || !mentions(value)));
    const target =
      step.kind === 'review' && step.onRevise
        ? {
            onRevise: step.onRevise.map((action) =>
              action.kind === 'retry' && gone.has(action.step) ? { ...action, step: step.of } : action,
            ),
          }
        : {};
    const failing = 'onFail' in step && mentions(step.onFail) ? { onFail: [] } : {};
    const left = inputs?.filter((other) => !gone.has(other)) ?? [];
    return {
      ...cleared,
      ...target,
      ...failing,
      ...(step.after ? { after: instead(step.after) } : {}),
      ...(left.length > 0 ? { inputs: left } : {}),
      ...(when && !mentions(when) ? { when } : {}),
    } as Step;
  });
}
const ACTIONS: readonly string[] = [
  ...['onError', 'onBlock', 'onReject', 'onStall', 'onUnfixable', 'onExhausted', 'onBlocked', 'onMisaligned', 'onRootCause', 'approval'],
];

function withoutKey(plan: Plan, id: string, key: string): Plan {
  return mapPlan(plan, (step) => {
    if (step.id !== id) return step;
    const keys: Record<string, unknown> = { ...step };
    delete keys[key];
    return keys as unknown as Step;
  });
}
