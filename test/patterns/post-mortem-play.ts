import type { Plan } from '../../plan/plan';
import type { JournalEntry } from '../../plan/run/journal';
import type { PostMortemStep, Step } from '../../plan/steps/step';
import { isJsonObject, type JsonObject } from '../../plan/text/json';
import { agent } from '../support/steps';
import { planOf } from '../support/world';
import { type Answered, type PlayedStep, type PlayOptions, playStep } from './played';

/** Post-mortems in memory: a test chooses the answer of each agent and its time. */

export const MINUTE = 60_000;

/** The answer of an agent: its findings. */
export type Answer = Answered<JsonObject>;

export interface PostMortemOptions extends Omit<PlayOptions, 'work'> {
  step?: Partial<PostMortemStep>;
  work?: Step[];
  more?: Partial<Plan>;
  /** Steps of `finally` before the post-mortem. */
  before?: Step[];
}

export interface Played extends PlayedStep {
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
  const { step, work = [agent('draft', { agent: 'a' })], more, before = [], ...world } = options;
  const names = Object.keys(says);
  const agents = Object.fromEntries(names.map((name) => [name, { definition: 'd' }]));
  const base = planOf(work);
  const plan: Plan = {
    ...base,
    agents: { ...base.agents, ...agents },
    finally: { order: 'sequence', steps: [...before, postMortemStep(names, step)] },
    ...more,
  };
  const played = playStep<JsonObject>(
    plan,
    { id: 'post_mortem', parts: names, says: (name) => says[name] ?? 'silence', answer: ({ put }, said) => put(said) },
    world,
  );
  const made = played.world;
  return {
    ...played,
    report() {
      const found = Object.entries(made.ruled).findLast(([address]) => /^post_mortem#\d+~\d+\/report$/.test(address))?.[1];
      return isJsonObject(found) ? found : {};
    },
    findings: () => played.feedback('retro_finding'),
    asked: () => made.order().flatMap((address) => /^post_mortem\[1\]\/post_mortem_(\w+)#/.exec(address)?.[1] ?? []),
  };
}
