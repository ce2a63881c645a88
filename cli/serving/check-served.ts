import type { Plan } from '../../plan/plan';
import { ThermidorFailure } from '../../plan/run/failure';
import type { RunView } from '../../plan/run/status';
import { planFromText } from '../pipelines/child-plans';
import type { Configuration } from '../settings/configuration';
import { recordsOf } from '../settings/records';
import type { Terminal } from '../terminal';
import { agentsOf } from './asked-agents';
import { folderAgents } from './folder-agents';
import { askLiveWorkers, liveWorkers } from './live-workers';
import { checkHere, describeUnserved, type Unserved, unservedAgents } from './unserved-agents';
import { settingsDigest } from './worker-lease-note';

/**
 * Whether the workers of a run can ask its agents: this process, or those that serve the folder and have left a note of what they lack.
 * Workers of a configured server have their own keys and programs, which are unknown here.
 */

/** Reads a blob by its digest; undefined if it does not exist, or cannot be read now: that refuses nobody. */
export type PlanBlob = (sha256: string) => Promise<string | undefined>;

/** Whether a run that is started now would be worked on by this process alone. */
export async function worksAlone(configuration: Configuration): Promise<boolean> {
  return configuration.address.value === undefined && (await liveWorkers(configuration)).length === 0;
}

/** What keeps this process from asking the agents of a plan. */
export async function unservedBy(plan: Plan, blob: PlanBlob, configuration: Configuration, env: NodeJS.ProcessEnv): Promise<Unserved[]> {
  return await unservedAgents(await agentsOf(plan, blob), configuration, env);
}

/**
 * The same for the workers of a run that is started now. Unknown workers refuse nothing: those of a configured server, a process without a
 * note, or one with outdated settings, which may lead its agents elsewhere.
 */
export async function unservedNow(plan: Plan, blob: PlanBlob, configuration: Configuration, env: NodeJS.ProcessEnv): Promise<Unserved[]> {
  if (configuration.address.value !== undefined) return [];
  const serving = await liveWorkers(configuration);
  if (serving.length === 0) return await unservedBy(plan, blob, configuration, env);
  const digest = settingsDigest(configuration);
  const known = serving.flatMap(({ pid, note }) => (note?.settings === digest ? [{ pid, note }] : []));
  if (known.length < serving.length) return [];
  return await unservedAgents(await agentsOf(plan, blob), configuration, env, askLiveWorkers(known, checkHere(env)));
}

/**
 * The same for the rest of a run: steps that are done or skipped ask nobody. None if a script answers, or if its plan is another host's.
 */
export async function unservedIn(view: RunView, configuration: Configuration, env: NodeJS.ProcessEnv): Promise<Unserved[]> {
  if (view.script !== undefined || view.plan === undefined) return [];
  const { plan: ref } = view;
  const stores = recordsOf(configuration);
  const plan = planFromText(await readable(() => stores.control.get(ref)));
  if (plan === undefined) return [];
  const over = new Set(view.steps.flatMap(({ id, address, state }) => (isOver(state) && !address.includes('/') ? [id] : [])));
  const steps = plan.block.steps.filter(({ id }) => !over.has(id));
  return await unservedBy({ ...plan, block: { ...plan.block, steps } }, blobsOf(configuration), configuration, env);
}

const UNREAD: ReadonlySet<string> = new Set(['artifact.missing', 'store.unavailable']);

export function blobsOf(configuration: Configuration): PlanBlob {
  const store = recordsOf(configuration).artifacts;
  return (sha256) => readable(() => store.get({ sha256 }));
}

async function readable(get: () => Promise<Buffer>): Promise<string | undefined> {
  try {
    return (await get()).toString('utf8');
  } catch (error) {
    if (error instanceof ThermidorFailure && UNREAD.has(error.code)) return undefined;
    throw error;
  }
}

/** Warns only, because runs that others began are worked on as they come. @param before in words, whose problem it is */
export function warnUnserved(problems: readonly Unserved[], { err, colors }: Terminal, before = ''): void {
  for (const problem of problems) err(`${colors.yellow('!')} ${before}${describeUnserved(problem)}\n`);
}

/** For workers that take any run: warns of agents of the folder's pipelines that they could not ask. */
export async function warnUnservedOfFolder(configuration: Configuration, terminal: Terminal): Promise<void> {
  const { agents } = await folderAgents(configuration, terminal.cwd);
  warnUnserved(await unservedAgents(agents, configuration, terminal.env), terminal, 'without a script, ');
}

/** A failed step is not over: it may be tried again. */
function isOver(state: RunView['steps'][number]['state']): boolean {
  return state === 'done' || state === 'skipped';
}
