import { type FailedGateName, INCREMENT_GATES, type IncrementGate } from '../../kinds/increments/rules/words';
import type { Plan } from '../../plan/plan';
import { ThermidorFailure } from '../../plan/run/failure';
import type { JournalEntry } from '../../plan/run/journal';
import type { IncrementsStep, Step } from '../../plan/steps/step';
import type { StepOutput } from '../../plan/steps/step-activity';
import { isJsonObject, type Json, type JsonObject } from '../../plan/text/json';
import { agent, command } from '../support/steps';
import { artifact, planOf, runPlan, type Seen, type StepBehaviour, type World, type WorldOptions } from '../support/world';

/**
 * Deliveries in memory. The name of a commit lists its contents: `base`, `base+1.1` with the first attempt at the first increment,
 * `base+1.2` if that was rolled back and done again.
 */

export const MINUTE = 60_000;

/** The work of an executor: it does its tasks, names those that it cannot do, fails, or never ends. */
export type Work = 'done' | 'silence' | { blocked: string[] } | { after: number } | Error;
/** The answer of a validator. */
export type Verdict = 'pass' | 'revise' | 'silence' | Error | { says: JsonObject };

export interface DeliveryOptions extends Omit<WorldOptions, 'steps'> {
  tasks?: Json;
  gates?: readonly IncrementGate[];
  /** Whether a gate fails. The increment is counted from 1; `commit` is that of the worktree. */
  fails?: (gate: IncrementGate, increment: number, attempt: number, commit: string) => boolean | Error;
  works?: (increment: number, attempt: number) => Work;
  validates?: (increment: number, attempt: number) => Verdict;
  /** Whether the validation of the whole passes with a commit. Absent: there is no such validation. */
  final?: (commit: string) => boolean | Error;
  step?: Partial<IncrementsStep>;
  more?: Partial<Plan>;
  after?: Step[];
  steps?: WorldOptions['steps'];
  begin?: (plan: Plan, options: WorldOptions) => World;
}

export interface Delivered {
  world: World;
  plan: Plan;
  /** The output of the step. */
  output(): JsonObject;
  feedback<T extends 'increment_ready' | 'fix_required' | 'progress' | 'review_result'>(
    type: T,
  ): Extract<JournalEntry, { kind: 'pattern'; type: T }>[];
  /** The parts that were started, in order: `1 executor`, `1 no_regression`. */
  started(): string[];
  /** The assignment of the executor in a turn. */
  assigned(turn: number): JsonObject;
}

/** A chain of `count` tasks, each of which depends on the one before. */
export function chain(count: number): Json {
  return Array.from({ length: count }, (_, i) => ({ id: `t${i + 1}`, title: `task ${i + 1}`, depends_on: i === 0 ? [] : [`t${i}`] }));
}

export function increments({ step, gates = INCREMENT_GATES, validates, final }: DeliveryOptions): Step {
  const worktree = { of: 'deliver' };
  return {
    ...{ kind: 'increments', id: 'deliver', matter: { template: ['the plan'] }, executor: 'coder', gates: [...gates] },
    ...(validates ? { validator: 'judge' } : {}),
    ...{ fixes: 3, taskTimeoutMs: 20 * MINUTE, timeoutMs: 30 * MINUTE, blockedShare: { share: [1, 2] }, worktree: {} },
    onBlocked: [{ kind: 'escalate', to: { kind: 'human' } }],
    parts: [
      agent('deliver_executor', { worktree, reads: [['summary'], ['blocked']] }),
      ...gates.map((gate) => command(`deliver_${gate}`, { worktree })),
      ...(validates ? [agent('deliver_validator', { worktree, reads: [['verdict'], ['suggestion'], ['findings']] })] : []),
      ...(final ? [command('deliver_final', { worktree })] : []),
    ],
    ...step,
  };
}

export function deliver(options: DeliveryOptions = {}): Delivered {
  const {
    tasks = chain(3),
    fails,
    works,
    validates,
    final,
    step: _step,
    gates: _gates,
    more,
    after = [command('after')],
    ...rest
  } = options;
  const { steps, begin = runPlan, ...world } = rest;
  const said = new Map<string, Json>();
  const assignmentOf = (seen: Seen): JsonObject => {
    const found = made.ruled[seen.input.inputs?.['increment']?.name ?? ''];
    return isJsonObject(found) ? found : {};
  };
  const numberOf = (assignment: JsonObject, key: string): number => Number(assignment[key] ?? 0);
  const left = (seen: Seen, commit: string): Pick<StepOutput, 'worktree'> => {
    const { slot = '', epoch = 1 } = seen.input.worktree ?? {};
    return { worktree: { slot, epoch, commit } };
  };
  const at = (seen: Seen): string => seen.input.worktree?.commit ?? '';
  const answer = (seen: Seen, values: Record<string, Json>, commit = at(seen)): StepOutput => {
    const ref = artifact(`a-${seen.call.options.address}`);
    said.set(ref.sha256, values);
    return { artifact: ref, values, ...left(seen, commit) };
  };
  const executor: StepBehaviour = (seen) => {
    const assignment = assignmentOf(seen);
    const [number, attempt] = [numberOf(assignment, 'number'), numberOf(assignment, 'attempt')];
    const work = works?.(number, attempt) ?? 'done';
    const commit = `${at(seen)}+${number}.${attempt}`;
    const done = (blocked: string[] = []): StepOutput => answer(seen, { summary: 'done', blocked }, commit);
    if (work === 'done') return done();
    if (work === 'silence') return new Promise(() => undefined);
    if (work instanceof Error) throw withWork(work, left(seen, `${commit}?`));
    if ('blocked' in work) return done(work.blocked);
    return new Promise((resolve) => seen.call.clock.after(work.after, () => resolve(done())));
  };
  const gate =
    (name: IncrementGate): StepBehaviour =>
    (seen) => {
      const assignment = assignmentOf(seen);
      const failed = fails?.(name, numberOf(assignment, 'number'), numberOf(assignment, 'attempt'), at(seen)) ?? false;
      if (failed instanceof Error) throw failed;
      if (failed) throw new ThermidorFailure('command.failed', `${name} ended with exit code 1`, { stderr: 'src/a.ts(3,1): wrong' });
      return { artifact: artifact(`g-${seen.call.options.address}`), ...left(seen, at(seen)) };
    };
  const validator: StepBehaviour = (seen) => {
    const assignment = assignmentOf(seen);
    const verdict = validates?.(numberOf(assignment, 'number'), numberOf(assignment, 'attempt')) ?? 'pass';
    if (verdict === 'silence') return new Promise(() => undefined);
    if (verdict instanceof Error) throw verdict;
    if (typeof verdict === 'object') return answer(seen, verdict.says as Record<string, Json>);
    if (verdict === 'pass') return answer(seen, { verdict, suggestion: null, findings: null });
    const findings = { high: [{ file: 'src/b.ts', line: 7, description: 'it drops the last' }] };
    return answer(seen, { verdict, suggestion: 'keep the last', findings });
  };
  const whole: StepBehaviour = (seen) => {
    const passes = final?.(at(seen)) ?? true;
    if (passes instanceof Error) throw passes;
    if (!passes) throw new ThermidorFailure('command.failed', 'the whole fails');
    return { artifact: artifact(`f-${seen.call.options.address}`), ...left(seen, at(seen)) };
  };
  const plan = planOf([increments(options), ...after], more);
  const made = begin(plan, {
    matter: tasks,
    // The same plan always gets the same name.
    ruledAs: (address) => address.replace(/#\d+~\d+(?=\/increments$)/, ''),
    claim: ({ input: { slot, held } }) => ({
      ...{ slot, epoch: (held?.epoch ?? 0) + 1, host: 'host-1', repository: '/repository', refsIn: 'repository' },
      ...{ base: 'base', commit: held?.commit ?? 'base', branch: `thermidor/${slot}`, silentMs: 1000 },
    }),
    ...world,
    documents: (sha256) => said.get(sha256) ?? world.documents?.(sha256),
    steps: {
      deliver_executor: executor,
      ...Object.fromEntries(INCREMENT_GATES.map((name) => [`deliver_${name}`, gate(name)])),
      ...{ deliver_validator: validator, deliver_final: whole },
      ...steps,
    },
  });
  return {
    world: made,
    plan,
    output() {
      const composed = Object.entries(made.composed).findLast(([address]) => /^deliver#\d+~\d+\/compose$/.test(address))?.[1];
      return composed?.kind === 'value' && isJsonObject(composed.value) ? composed.value : {};
    },
    feedback: (type) => made.journal().flatMap((entry) => (isSignal(entry, type) ? [entry] : [])),
    started: () =>
      made.order().flatMap((address) => {
        const [, turn, part] = /^deliver\[(\d+)\]\/deliver_(.*)#1~1$/.exec(address) ?? [];
        return part === undefined ? [] : [`${turn} ${part}`];
      }),
    assigned(turn) {
      const found = Object.entries(made.ruled).findLast(([address]) => address.endsWith(`/increment-${turn}`))?.[1];
      return isJsonObject(found) ? found : {};
    },
  };
}

function isSignal<T extends string>(entry: JournalEntry, type: T): entry is Extract<JournalEntry, { kind: 'pattern'; type: T }> {
  return entry.kind === 'pattern' && entry.type === type;
}

function withWork(error: Error, work: Pick<StepOutput, 'worktree'>): Error {
  if (!(error instanceof ThermidorFailure)) return error;
  return new ThermidorFailure(error.code, error.message, error.details, undefined, { ...work } as never);
}

/** Makes a gate fail at the increments and attempts that are listed: `2.1` is the first attempt at the second increment. */
export function failsAt(gate: FailedGateName, ...at: string[]): NonNullable<DeliveryOptions['fails']> {
  return (name, increment, attempt) => name === gate && (at.includes(`${increment}.${attempt}`) || at.includes(`${increment}.*`));
}
