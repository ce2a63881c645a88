import type { Plan } from '../../plan/plan';
import { ThermidorFailure } from '../../plan/run/failure';
import type { JournalEntry } from '../../plan/run/journal';
import type { StepOutput } from '../../plan/steps/step-activity';
import type { Json, JsonObject } from '../../plan/text/json';
import { artifact, runPlan, type Seen, type StepBehaviour, type World, type WorldOptions } from '../support/world';
import { planFrom } from './compiled';
import { ruledOutput } from './played';

/** Consultations in memory: a test chooses each adviser's answer and confidence. */

const AGENTS = 'agents: {sec: {role: S.}, cli: {role: C.}, arch: {role: A.}}\n';

/** A number is the confidence of an adviser that recommends its own name. */
export type Answer = number | 'silence' | JsonObject | Error;

export interface ConsultOptions extends Omit<WorldOptions, 'steps'> {
  text?: string;
  /** The answers by role, in the order of the questions. The last answer is repeated. */
  says?: Partial<Record<'consultant' | 'fallback' | 'second_opinion', Answer | readonly Answer[]>>;
  /** The time that each adviser takes. */
  takesMs?: number;
  steps?: WorldOptions['steps'];
  begin?: (plan: Plan, options: WorldOptions) => World;
}

export const ALL = 'consultants: {security: sec}, fallback: cli, second_opinion: arch';
export const consults = (more = ALL): string => `steps:
  - {id: advise, type: consult, topic: security, question: Which hash?, ${more}}
  - {id: after, run: 'true'}
`;

export interface Played {
  world: World;
  plan: Plan;
  output(): JsonObject;
  feedback(): Extract<JournalEntry, { kind: 'pattern' }>[];
  started(): string[];
}

export function play({ text = consults(), says = {}, takesMs, steps, begin = runPlan, ...options }: ConsultOptions = {}): Played {
  const stored = new Map<string, Json>();
  const asked = new Map<string, number>();
  const plan = planFrom(AGENTS + text);
  const behaviours = (['consultant', 'fallback', 'second_opinion'] as const).map((part): [string, StepBehaviour] => [
    `advise_${part}`,
    (seen) => {
      const time = asked.get(part) ?? 0;
      asked.set(part, time + 1);
      const said = says[part] ?? 0.9;
      return given(seen, part, Array.isArray(said) ? (said[Math.min(time, said.length - 1)] as Answer) : (said as Answer));
    },
  ]);
  function given({ call }: Seen, part: string, answer: Answer): StepOutput | Promise<StepOutput> {
    if (answer === 'silence') return new Promise(() => undefined);
    if (answer instanceof Error) throw answer;
    const more = typeof answer === 'number' ? { confidence: answer } : answer;
    const document = { recommendation: part, rationale: 'because', confidence: 0.9, ...more };
    const ref = artifact(`said-${call.options.address}`);
    stored.set(ref.sha256, document);
    const end = { artifact: ref, values: { confidence: document.confidence } };
    return takesMs === undefined ? end : new Promise((resolve) => void call.clock.after(takesMs, () => resolve(end)));
  }
  const world = begin(plan, {
    matter: { question: 'Which hash?' },
    compose(from, address) {
      if (from.kind === 'artifact') return { artifact: from.artifact };
      return { artifact: artifact(address) };
    },
    documents: (sha256) => stored.get(sha256),
    ...options,
    steps: { ...Object.fromEntries(behaviours), ...steps },
  });
  return {
    world,
    plan,
    output: () => ruledOutput(world, /advise#\d+~\d+\/compose$/),
    feedback: () => world.journal().flatMap((entry) => (entry.kind === 'pattern' ? [entry] : [])),
    started: () => world.order().map((address) => address.replace(/advise\[(\d+)\]\/advise_/, '$1 ').replace(/#1~1$/, '')),
  };
}

export const broken = new ThermidorFailure('agent.turns-used-up', 'it did not answer');
