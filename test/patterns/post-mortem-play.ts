import type { Plan } from '../../plan/plan';
import type { JournalEntry } from '../../plan/run/journal';
import type { PostMortemStep, Step } from '../../plan/steps/step';
import type { StepOutput } from '../../plan/steps/step-activity';
import { isJsonObject, type Json, type JsonObject } from '../../plan/text/json';
import { agent } from '../support/steps';
import { artifact, planOf, runPlan, type Seen, type World, type WorldOptions } from '../support/world';

/** Post-mortems in memory: a test chooses the answer of each agent and its time. */

export const MINUTE = 60_000;

/** The answer of an agent: findings, a failure, never an answer, or a later one. */
export type Answer = JsonObject | Error | 'silence' | { after: number; says: JsonObject };

export interface PostMortemOptions extends Omit<WorldOptions, 'steps' | 'work'> {
  step?: Partial<PostMortemStep>;
  work?: Step[];
  more?: Partial<Plan>;
  /** Steps of `finally` before the post-mortem. */
  before?: Step[];
  steps?: WorldOptions['steps'];
  begin?: (plan: Plan, options: WorldOptions) => World;
}

export interface Played {
  world: World;
  plan: Plan;
  report(): JsonObject;
  findings(): Extract<JournalEntry, { kind: 'pattern' }>[];
  /** The agents that were asked, in order. */
  asked(): string[];
}

export const retro = (more: JsonObject = {}): JsonObject => ({ went_well: [], difficult: [], suggestions: [], patterns: [], ...more });

export function postMortemStep(agents: readonly string[], more: Partial<PostMortemStep> = {}): PostMortemStep {
  return {
    ...{ kind: 'post_mortem', id: 'post_mortem', occasion: 'always', timeoutMs: 3 * MINUTE, files: {} },
    asked: agents.map((name) => ({ agent: name, part: name })),
    parts: agents.map((name) => agent(`post_mortem_${name}`, { agent: name })),
    ...more,
  };
}

export function play(says: Record<string, Answer>, options: PostMortemOptions = {}): Played {
  const { step, work = [agent('draft', { agent: 'a' })], more, before = [], steps, begin = runPlan, ...world } = options;
  const stored = new Map<string, Json>();
  const given = ({ call }: Seen, said: JsonObject): StepOutput => {
    const ref = artifact(`said-${call.options.address}`);
    stored.set(ref.sha256, said);
    return { artifact: ref };
  };
  const behaviours = Object.entries(says).map(([name, said]) => [
    `post_mortem_${name}`,
    (seen: Seen): StepOutput | Promise<StepOutput> => {
      if (said === 'silence') return new Promise(() => undefined);
      if (said instanceof Error) throw said;
      if (!('after' in said) || typeof said.after !== 'number') return given(seen, said as JsonObject);
      const { after, says: later } = said as { after: number; says: JsonObject };
      return new Promise((resolve) => void seen.call.clock.after(after, () => resolve(given(seen, later))));
    },
  ]);
  const names = Object.keys(says);
  const agents = Object.fromEntries(names.map((name) => [name, { definition: 'd' }]));
  const base = planOf(work);
  const plan: Plan = {
    ...base,
    agents: { ...base.agents, ...agents },
    finally: { order: 'sequence', steps: [...before, postMortemStep(names, step)] },
    ...more,
  };
  const made = begin(plan, {
    ...world,
    documents: (sha256) => stored.get(sha256) ?? world.documents?.(sha256),
    steps: { ...Object.fromEntries(behaviours), ...steps },
  });
  return {
    world: made,
    plan,
    report() {
      const found = Object.entries(made.ruled).findLast(([address]) => /^post_mortem#\d+~\d+\/report$/.test(address))?.[1];
      return isJsonObject(found) ? found : {};
    },
    findings: () => made.journal().flatMap((entry) => (entry.kind === 'pattern' && entry.type === 'retro_finding' ? [entry] : [])),
    asked: () => made.order().flatMap((address) => /^post_mortem\[1\]\/post_mortem_(\w+)#/.exec(address)?.[1] ?? []),
  };
}
