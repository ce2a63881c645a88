import { defined } from '../../plan/defined';
import type { Plan } from '../../plan/plan';
import type { MergeStrategy } from '../../plan/queue/queue-settings';
import type { QueueTarget } from '../../plan/queue/ticket';
import { ThermidorFailure } from '../../plan/run/failure';
import type { Step } from '../../plan/steps/step';
import type { WorktreeSpec } from '../../plan/steps/step-base';
import { stepsOfPlan } from '../../plan/steps/walk';
import type { MergeHost } from '../queue-port';
import { checkStrategy } from './check-strategy';

/**
 * Compares each strategy that a plan asks for with that of its branch's queue, before anything runs. What only the run will know, and what
 * a worker of another queue settles on its own host, is left to the landing. Fails with `merge.strategy`.
 */
export async function checkStrategies({ rules, origin }: Pick<MergeHost, 'rules' | 'origin'>, plan: Plan): Promise<void> {
  const steps = stepsOfPlan(plan);
  const byId = new Map(steps.map((step) => [step.id, step]));
  for (const step of steps) {
    for (const { from, into, strategy } of landingsOf(step)) {
      const owner = from.flatMap((id) => ownWorktree(byId, id) ?? [])[0];
      if (!owner || typeof into !== 'string') continue;
      const found = await lookFor(origin, owner);
      if (found) checkStrategy(rules({ ...found, branch: into }).strategy, strategy, into);
    }
  }
}

const LOOK_MS = 10_000;

interface Landing {
  /** The steps whose worktrees have what lands: all are of one repository. */
  from: readonly string[];
  /** Undefined: an expression names it. */
  into: string | undefined;
  strategy: MergeStrategy;
}

function landingsOf(step: Step): Landing[] {
  if ('lands' in step && step.lands?.strategy) return [{ from: [step.id], into: step.lands.into, strategy: step.lands.strategy }];
  // Candidates of one checkout build on each other, which only merges keep.
  if ('isolation' in step && step.isolation === 'shared')
    return [{ from: step.parts.map(({ id }) => id), into: step.into, strategy: 'merge' }];
  if ('strategy' in step && step.strategy) return [{ from: step.from, into: plainText(step.into), strategy: step.strategy }];
  return [];
}

function plainText(template: readonly unknown[]): string | undefined {
  const [text] = template;
  return template.length === 1 && typeof text === 'string' ? text : undefined;
}

/** The repository of a step's worktree, as the file writes it. */
function ownWorktree(steps: ReadonlyMap<string, Step>, id: string): { repo?: string; remote?: string } | undefined {
  const named = steps.get(id);
  const owner = named?.worktree && 'of' in named.worktree ? steps.get(named.worktree.of) : named;
  const spec: WorktreeSpec | undefined = owner?.worktree;
  if (!spec || 'of' in spec || owner?.queue !== undefined) return undefined;
  const repo = spec.repo && plainText(spec.repo);
  if (spec.repo && repo === undefined) return undefined;
  return defined({ repo, remote: spec.remote });
}

/** Undefined if it is not there: a step before it may make the repository. */
async function lookFor(
  origin: MergeHost['origin'],
  owner: Parameters<MergeHost['origin']>[0],
): Promise<Omit<QueueTarget, 'branch'> | undefined> {
  const signal = AbortSignal.timeout(LOOK_MS);
  try {
    return await origin(owner, signal);
  } catch (error) {
    if (error instanceof ThermidorFailure || signal.aborted) return undefined;
    throw error;
  }
}
