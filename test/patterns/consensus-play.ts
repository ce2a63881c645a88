import type { Vote } from '../../plan/people/vote';
import type { Plan } from '../../plan/plan';
import { ThermidorFailure } from '../../plan/run/failure';
import type { JournalEntry } from '../../plan/run/journal';
import type { ApprovalStep, ConsensusStep, Step } from '../../plan/steps/step';
import type { StepOutput } from '../../plan/steps/step-activity';
import type { Json, JsonObject } from '../../plan/text/json';
import { agent, approval, command } from '../support/steps';
import { artifact, planOf, runPlan, type Seen, type StepBehaviour, type World, type WorldOptions } from '../support/world';
import { later, ruledOutput } from './played';

/** Votes in memory: a test chooses the answer of each voter and its time. */

export const MINUTE = 60_000;
const VOTE_READS = ['proposalId', 'vote', 'rationale', 'conditions', 'confidence', 'blocking', 'option'];

/** The answer of an agent: a word of a vote, a whole vote, a failure, or never an answer. */
export type Answer = Vote['vote'] | 'BLOCK' | 'silence' | Partial<Vote> | Error;
/** Answers that depend on how often the agent was asked, counted from 1. */
export type Says = { by: (time: number) => Answer | Later };
export type Later = { after: number; says: Answer };

export interface ConsensusOptions extends Omit<WorldOptions, 'steps'> {
  /** The answers by agent. An agent without an entry approves. */
  says?: Record<string, Answer | Says>;
  people?: string[];
  step?: Partial<ConsensusStep>;
  more?: Partial<Plan>;
  default?: Answer | 'person';
  /** Replaces the work of agents' parts. */
  steps?: WorldOptions['steps'];
  begin?: (plan: Plan, options: WorldOptions) => World;
}

export interface Played {
  world: World;
  plan: Plan;
  /** The output of the step. */
  output(): JsonObject;
  feedback(type: 'vote' | 'tally' | 'proposal'): Extract<JournalEntry, { kind: 'pattern' }>[];
  /** The parts that were started, each with its turn. */
  started(): string[];
}

export function consensus(agents: readonly string[], people: readonly string[], { step, default: decides }: ConsensusOptions = {}): Step {
  const reads = VOTE_READS.map((key) => [key]);
  const person = (): Partial<ApprovalStep> => ({ comment: 'always', reads: [['decision'], ['by'], ['comment'], ['value']] });
  const asked: ConsensusStep['parts'] = [
    ...agents.map((name) => agent(`decide_${name}`, { reads })),
    ...people.map((name) => approval(`decide_${name}`, { ...person(), approvers: [name] })),
  ];
  return {
    ...{
      kind: 'consensus',
      id: 'decide',
      matter: { template: ['Shall we?'] },
      threshold: { share: [2, 3] },
      rounds: 2,
      timeoutMs: 5 * MINUTE,
    },
    voters: [
      ...agents.map((name) => ({ name, part: name, kind: 'agent' as const })),
      ...people.map((name) => ({ name, part: name, kind: 'person' as const })),
    ],
    onFail: [{ kind: 'escalate', to: { kind: 'human' } }],
    parts: [
      ...asked,
      agent('decide_revise'),
      decides === 'person' ? approval('decide_default', person()) : agent('decide_default', { reads }),
    ],
    ...step,
  };
}

export function play(says: Record<string, Answer | Says>, options: ConsensusOptions = {}): Played {
  const { people = [], more, steps, begin = runPlan, default: decides, step: _step, says: _says, ...world } = options;
  const stored = new Map<string, Json>();
  const asked = new Map<string, number>();
  const answers = Object.entries({ ...says, ...(decides === undefined || decides === 'person' ? {} : { default: decides }) });
  const behaviours = answers.map(([name, said]): [string, StepBehaviour] => [
    `decide_${name}`,
    (seen) => {
      const time = (asked.get(name) ?? 0) + 1;
      asked.set(name, time);
      const answer = isSays(said) ? said.by(time) : said;
      return isLater(answer) ? later(seen, answer.after, () => given(seen, answer.says)) : given(seen, answer);
    },
  ]);
  function given(seen: Seen, answer: Answer): StepOutput | Promise<StepOutput> {
    if (answer === 'silence') return new Promise(() => undefined);
    if (answer instanceof Error) throw answer;
    const vote: Json = { ...voteOf(answer, proposalAt(seen.call.options.address ?? '')) };
    const ref = artifact(`v-${seen.call.options.address}`);
    stored.set(ref.sha256, vote);
    return { artifact: ref, values: Object.fromEntries(VOTE_READS.map((key) => [key, vote[key] ?? null])) };
  }
  const plan = planOf([consensus(Object.keys(says), people, options), command('after')], more);
  const made = begin(plan, {
    matter: 'Shall we?',
    compose: (from, address) => (from.kind === 'artifact' ? { artifact: from.artifact } : { artifact: artifact(address) }),
    ...world,
    documents: (sha256) => stored.get(sha256) ?? world.documents?.(sha256),
    steps: { ...Object.fromEntries(behaviours), ...steps },
  });
  return {
    world: made,
    plan,
    output: () => ruledOutput(made, /^decide#\d+~\d+\/compose$/),
    feedback: (type) => made.journal().flatMap((entry) => (entry.kind === 'pattern' && entry.type === type ? [entry] : [])),
    started: () => made.order().map((address) => address.replace(/^decide\[(\d+)\]\/decide_/, '$1 ')),
  };
}

function isSays(said: Answer | Says): said is Says {
  return typeof said === 'object' && 'by' in said;
}

function isLater(answer: Answer | Later): answer is Later {
  return typeof answer === 'object' && 'after' in answer;
}

/** The id of the proposal that a voter is asked about at an address. */
function proposalAt(address: string): string {
  const [, turn = '1', round = '1'] = /\[(\d+)\][^#]*#(\d+)/.exec(address) ?? [];
  return `decide-${round === '1' ? '' : `${round}.`}${turn}`;
}

export function voteOf(answer: Exclude<Answer, 'silence' | Error>, proposalId: string): Vote {
  if (answer === 'BLOCK') return { proposalId, vote: 'REJECT', rationale: 'never', blocking: true };
  if (typeof answer === 'string') return { proposalId, vote: answer, rationale: `${answer.toLowerCase()}, because` };
  return { proposalId, vote: 'APPROVE', rationale: 'because', ...answer };
}

/** The failure of an agent that gives no vote. */
export const broken = new ThermidorFailure('reply.invalid', 'its reply is no vote');

export async function settled({ world }: Pick<Played, 'world'>): Promise<void> {
  for (let i = 0; i < 8; i++) await world.settle();
}
