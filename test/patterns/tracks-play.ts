import type { Plan } from '../../plan/plan';
import { ThermidorFailure } from '../../plan/run/failure';
import type { JournalEntry } from '../../plan/run/journal';
import type { Step, TracksStep } from '../../plan/steps/step';
import type { StepOutput } from '../../plan/steps/step-activity';
import { isJsonObject, type Json, type JsonObject } from '../../plan/text/json';
import { agent, command } from '../support/steps';
import { artifact, planOf, runPlan, type Seen, type StepBehaviour, type World, type WorldOptions } from '../support/world';

/** Two tracks in memory: a test chooses the time of each phase and the verdict of each check. */

export const MINUTE = 60_000;

/**
 * The behaviour of a part in one call: the time that it takes, its answer, or its failure. A check says which tracks adjust; `aligned`
 * means none.
 */
export type Does = Partial<{ after: number; fails: boolean; says: 'aligned' | 'a' | 'b' | 'both' | JsonObject; silent: boolean }>;

export interface TracksOptions extends Omit<WorldOptions, 'steps'> {
  step?: Partial<TracksStep>;
  more?: Partial<Plan>;
  /** The steps after the tracks. @default a command */
  after?: Step[];
  begin?: (plan: Plan, options: WorldOptions) => World;
  /** Replaces the work of steps. */
  instead?: Record<string, StepBehaviour>;
  /** A run whose store this one shares. */
  storeOf?: Played;
}

/** The behaviours by part, in the order of its calls. The last one is repeated. */
export type Script = Record<string, Does | Does[]>;

export interface Played {
  world: World;
  plan: Plan;
  stored: Map<string, Json>;
  output(): JsonObject;
  checkpoints(): Json[];
  /** The parts, each with its turn, in the order in which they began. */
  started(): string[];
}

export function tracks(step: Partial<TracksStep> = {}): Step {
  const parts: TracksStep['parts'] = [
    ...['api', 'detail'].map((id) => agent(`dual_${id}`, { agent: 'designer' })),
    ...['scaffold', 'core'].map((id) => agent(`dual_${id}`, { agent: 'coder' })),
    ...['contract', 'whole'].map((id) => agent(`dual_${id}`, { agent: 'lead' })),
    command('dual_integration'),
  ];
  const point = (id: string, a: string, b: string): TracksStep['sync'][number] => ({
    ...{ id, after: { a, b }, by: 'lead', rounds: 2, waitMs: 5 * MINUTE },
  });
  return {
    kind: 'tracks',
    id: 'dual',
    a: { agent: 'designer', phases: ['api', 'detail'] },
    b: { agent: 'coder', phases: ['scaffold', 'core'] },
    sync: [point('contract', 'api', 'scaffold'), point('whole', 'detail', 'core')],
    ahead: 'one_phase',
    integrates: true,
    parts,
    ...step,
  };
}

export function play(
  script: Script = {},
  { step, more, after = [command('after')], begin = runPlan, instead, storeOf, ...world }: TracksOptions = {},
): Played {
  const stored = storeOf?.stored ?? new Map<string, Json>();
  const asked = new Map<string, number>();
  const plan = planOf([tracks(step), ...after], more);
  const [dual] = plan.block.steps;
  const parts = dual && 'parts' in dual ? dual.parts : [];
  const checks = new Set(dual && 'sync' in dual ? dual.sync.map(({ id }) => id) : []);
  const behaviours = parts.map(({ id }): [string, StepBehaviour] => [id, (seen) => act(seen, id.replace('dual_', ''))]);
  function act(seen: Seen, part: string): StepOutput | Promise<StepOutput> {
    const time = asked.get(part) ?? 0;
    asked.set(part, time + 1);
    const all = [script[part] ?? {}].flat();
    const does = all[time] ?? all.at(-1) ?? {};
    if (does.silent) return new Promise(() => undefined);
    const end = (): StepOutput => {
      if (does.fails) throw new ThermidorFailure('agent.turns-used-up', `${part} does not work`);
      return { artifact: kept(seen, checks.has(part) ? answerOf(does, part) : `${part}, ${time + 1}`) };
    };
    if (!does.after) return end();
    return new Promise((resolve, reject) => {
      seen.call.clock.after(does.after ?? 0, () => {
        try {
          resolve(end());
        } catch (error) {
          reject(error as Error);
        }
      });
    });
  }
  function kept({ call }: Seen, content: Json): ReturnType<typeof artifact> {
    const ref = artifact(`d-${call.options.address}`);
    stored.set(ref.sha256, content);
    return ref;
  }
  const made = begin(plan, {
    compose: (from, address) => (from.kind === 'artifact' ? { artifact: from.artifact } : { artifact: artifact(address) }),
    documents: (sha256) => stored.get(sha256),
    ...world,
    steps: { ...Object.fromEntries(behaviours), ...instead },
  });
  return {
    world: made,
    plan,
    stored,
    output() {
      const found = Object.entries(made.ruled).findLast(([address]) => address.endsWith('/report'))?.[1];
      return isJsonObject(found) ? found : {};
    },
    checkpoints: () => made.journal().flatMap((entry) => (isCheckpoint(entry) ? [entry.data as Json] : [])),
    started: () => made.order().map((address) => address.replace(/^dual\[(\d+)\]\/dual_/, '$1 ').replace(/#1~1$/, '')),
  };
}

function isCheckpoint(entry: JournalEntry): entry is Extract<JournalEntry, { kind: 'pattern' }> {
  return entry.kind === 'pattern' && entry.type === 'sync_checkpoint';
}

function answerOf({ says = 'aligned' }: Does, part: string): Json {
  if (typeof says === 'object') return says;
  if (says === 'aligned') return { status: 'ALIGNED' };
  return { status: 'MISALIGNED', adjust: says, conflicts: [`${part} differs`] };
}

/** Lets `ms` milliseconds pass. */
export async function passes({ world }: Pick<Played, 'world'>, ms: number): Promise<void> {
  let isOver = false;
  world.clock.after(ms, () => {
    isOver = true;
  });
  await world.elapse(() => isOver);
  await world.settle();
}
