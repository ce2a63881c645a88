import type { Plan } from '../../plan/plan';
import { ThermidorFailure } from '../../plan/run/failure';
import type { JournalEntry } from '../../plan/run/journal';
import type { StepOutput } from '../../plan/steps/step-activity';
import { isJsonObject, type Json, type JsonObject } from '../../plan/text/json';
import { artifact, runPlan, type Seen, type StepBehaviour, type World, type WorldOptions } from '../support/world';
import { planFrom } from './compiled';
import { later, red, ruledOutput } from './played';

/** Swarms in memory: a test chooses the findings of each agent, whether a fix is applied, and whether the check passes. */

const AGENTS = 'agents: {p: {role: P.}, e: {role: E.}, t: {role: T.}}\n';

/** A number is a diagnosis with this confidence. */
export type Answer = number | 'silence' | 'applied' | 'passes' | JsonObject | Error | { after: number; says: Answer };

export interface SwarmOptions extends Omit<WorldOptions, 'steps'> {
  /** The text of the pipeline, without its agents. */
  text?: string;
  /** The answers by part, in the order of the questions. The last answer is repeated. */
  says?: Record<string, Answer | readonly Answer[]>;
  steps?: WorldOptions['steps'];
  /** The paths that exist. */
  files?: string[];
  begin?: (plan: Plan, options: WorldOptions) => World;
}

export const AGENT_KEYS = 'agents: {p: architecture, e: implementation, t: environment}, verify: npm test';
export const IN_ORDER = `steps:
  - {id: mob, type: swarm, issue: The build is red., ${AGENT_KEYS}}
  - {id: after, run: 'true'}
`;

export const MINUTE = 60_000;
const PARTS = ['p', 'e', 't', 'fix_p', 'fix_e', 'fix_t', 'verify', 'rollback'];

export interface Played {
  world: World;
  plan: Plan;
  output(): JsonObject;
  feedback(type: 'swarm_join' | 'swarm_diagnosis'): Extract<JournalEntry, { kind: 'pattern' }>[];
  /** What was started, by turn and part, without the search for files. */
  started(): string[];
  reasons(): string[];
}

export function play({ text = IN_ORDER, says = {}, steps, files = [], begin = runPlan, ...options }: SwarmOptions = {}): Played {
  const stored = new Map<string, Json>();
  const asked = new Map<string, number>();
  const plan = planFrom(AGENTS + text);
  const defaults: Record<string, Answer | readonly Answer[]> = {
    p: 0.3,
    e: 0.6,
    t: 0.5,
    fix_p: 'applied',
    fix_e: 'applied',
    fix_t: 'applied',
  };
  const behaviours = PARTS.map((part): [string, StepBehaviour] => [
    `mob_${part}`,
    (seen) => {
      const time = asked.get(part) ?? 0;
      asked.set(part, time + 1);
      const said = says[part] ?? defaults[part] ?? (part === 'verify' ? [red, 'passes'] : 'passes');
      return given(seen, part, Array.isArray(said) ? (said[Math.min(time, said.length - 1)] as Answer) : (said as Answer));
    },
  ]);
  function given(seen: Seen, part: string, answer: Answer): StepOutput | Promise<StepOutput> {
    if (answer === 'silence') return new Promise(() => undefined);
    if (answer instanceof Error) throw answer;
    if (isLater(answer)) return later(seen, answer.after, () => given(seen, part, answer.says));
    const address = seen.call.options.address ?? '';
    const document = documentOf(part, answer, address);
    return put(address, document, part);
  }
  function put(address: string, document: Json, part: string): StepOutput {
    const ref = artifact(`said-${address}`);
    stored.set(ref.sha256, document);
    const values = isJsonObject(document) ? document : {};
    return { artifact: ref, values: part.startsWith('fix_') ? { applied: values['applied'] ?? null } : values };
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
    steps: {
      ...Object.fromEntries(behaviours),
      mob_files: ({ call }) => put(call.options.address ?? '', `${files.join('\n')}\n`, 'files'),
      ...steps,
    },
  });
  return {
    world,
    plan,
    output: () => ruledOutput(world, /mob#\d+~\d+\/(compose|overruled-output)$/),
    feedback: (type) => world.journal().flatMap((entry) => (entry.kind === 'pattern' && entry.type === type ? [entry] : [])),
    started: () =>
      world
        .order()
        .flatMap((address) => (address.includes('mob_files') ? [] : [address.replace(/mob\[(\d+)\]\/mob_/, '$1 ').replace(/#1~1$/, '')])),
    reasons: () =>
      world.journal().flatMap((entry) => (entry.kind === 'step' && entry.reason !== undefined ? [`${entry.step}: ${entry.reason}`] : [])),
  };
}

function documentOf(part: string, answer: Exclude<Answer, 'silence' | Error>, address: string): Json {
  if (typeof answer === 'number')
    return { root_cause: `${part} sees`, confidence: answer, fix_suggestion: `do what ${part} says at ${address}` };
  if (answer === 'applied') return { applied: true, summary: `${part} has changed it` };
  return answer as Json;
}

function isLater(answer: Answer): answer is { after: number; says: Answer } {
  return typeof answer === 'object' && 'after' in answer && 'says' in answer;
}

export const broken = new ThermidorFailure('agent.turns-used-up', 'it did not answer');
