import type { Plan } from '../../plan/plan';
import { ThermidorFailure } from '../../plan/run/failure';
import type { JournalEntry } from '../../plan/run/journal';
import type { StepOutput } from '../../plan/steps/step-activity';
import type { Json, JsonObject } from '../../plan/text/json';
import { artifact, runPlan, type Seen, type StepBehaviour, type World, type WorldOptions } from '../support/world';
import { planFrom } from './compiled';
import { ruledOutput } from './played';

/** Escalations in memory: a test chooses the answers of each level. */

const AGENTS = 'agents: {e: {role: E.}, s: {role: S.}, c: {role: C.}}\n';

/** `up`: the answer does not help. `solved`: it says that the issue is solved. */
export type Answer = 'up' | 'solved' | 'silence' | JsonObject | Error;

export interface EscalationOptions extends Omit<WorldOptions, 'steps'> {
  /** The text of the pipeline, without its agents. */
  text?: string;
  /** The answers by part, in the order of the questions. The last answer is repeated. */
  says?: Record<string, Answer | readonly Answer[]>;
  steps?: WorldOptions['steps'];
  begin?: (plan: Plan, options: WorldOptions) => World;
}

export const LEVELS = 'levels: [e, s, c, {human: "#desk", timeout: 24h}]';
export const IN_ORDER = `steps:
  - {id: rescue, type: escalate, issue: The build is red., ${LEVELS}}
  - {id: after, run: 'true'}
`;

export interface Played {
  world: World;
  plan: Plan;
  output(): JsonObject;
  feedback(): Extract<JournalEntry, { kind: 'pattern' }>[];
  started(): string[];
}

export function play({ text = IN_ORDER, says = {}, steps, begin = runPlan, ...options }: EscalationOptions = {}): Played {
  const stored = new Map<string, Json>();
  const asked = new Map<string, number>();
  const plan = planFrom(AGENTS + text);
  const behaviours = ['e', 's', 'c', 'apply', 'workaround', 'check'].map((part): [string, StepBehaviour] => [
    `rescue_${part}`,
    (seen) => {
      const time = asked.get(part) ?? 0;
      asked.set(part, time + 1);
      const said = says[part] ?? (part === 'check' ? 'solved' : 'up');
      const answer = Array.isArray(said) ? (said[Math.min(time, said.length - 1)] as Answer) : (said as Answer);
      return given(seen, part, answer);
    },
  ]);
  function given({ call }: Seen, part: string, answer: Answer): StepOutput | Promise<StepOutput> {
    if (answer === 'silence') return new Promise(() => undefined);
    if (answer instanceof Error) throw answer;
    const document = { solved: answer === 'solved', diagnosis: `${part} sees`, ...(typeof answer === 'object' ? answer : {}) };
    const ref = artifact(`said-${call.options.address}`);
    stored.set(ref.sha256, document);
    return { artifact: ref, values: { solved: document.solved } };
  }
  const world = begin(plan, {
    matter: 'The build is red.',
    compose(from, address) {
      if (from.kind === 'artifact') return { artifact: from.artifact };
      if (from.kind === 'value') stored.set(artifact(address).sha256, from.value);
      return { artifact: artifact(address) };
    },
    documents: (sha256) => stored.get(sha256),
    ...options,
    steps: { ...Object.fromEntries(behaviours), ...steps },
  });
  return {
    world,
    plan,
    output: () => ruledOutput(world, /rescue#\d+~\d+\/compose$/),
    feedback: () => world.journal().flatMap((entry) => (entry.kind === 'pattern' && entry.type === 'escalate' ? [entry] : [])),
    started: () => world.order().map((address) => address.replace(/rescue\[(\d+)\]\/rescue_/, '$1 ').replace(/#1~1$/, '')),
  };
}

export const broken = new ThermidorFailure('agent.timeout', 'it did not answer');
