import type { Vote } from '../../plan/people/vote';
import type { Plan } from '../../plan/plan';
import { ThermidorFailure } from '../../plan/run/failure';
import type { ApprovalStep, ConsensusStep, Step } from '../../plan/steps/step';
import type { JsonObject } from '../../plan/text/json';
import { agent, approval, command } from '../support/steps';
import { planOf } from '../support/world';
import { type Answered, type PlayedStep, type PlayOptions, playStep } from './played';

/** Votes in memory: a test chooses the answer of each voter and its time. */

export const MINUTE = 60_000;
const VOTE_READS = ['proposalId', 'vote', 'rationale', 'conditions', 'confidence', 'blocking', 'option'];

/** A word of a vote, or a whole vote. */
export type Answer = Vote['vote'] | 'BLOCK' | Partial<Vote>;
type Given = Answered<Answer>;
/** Answers that depend on how often the agent was asked, counted from 1. */
export type Says = { by: (time: number) => Given };

export interface ConsensusOptions extends PlayOptions {
  people?: string[];
  step?: Partial<ConsensusStep>;
  more?: Partial<Plan>;
  default?: Given | 'person';
}

export type Played = PlayedStep;

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

export function play(says: Record<string, Given | Says>, options: ConsensusOptions = {}): Played {
  const { people = [], more, default: decides, step: _step, ...world } = options;
  const answers: Record<string, Given | Says> = { ...says, ...(decides === undefined || decides === 'person' ? {} : { default: decides }) };
  const played = playStep<Answer>(
    planOf([consensus(Object.keys(says), people, options), command('after')], more),
    {
      id: 'decide',
      parts: Object.keys(answers),
      says(name, time) {
        const said = answers[name] ?? 'silence';
        return typeof said === 'object' && 'by' in said ? said.by(time + 1) : said;
      },
      answer({ seen, put }, answer) {
        const vote: JsonObject = { ...voteOf(answer, proposalAt(seen.call.options.address ?? '')) };
        return put(vote, Object.fromEntries(VOTE_READS.map((key) => [key, vote[key] ?? null])));
      },
    },
    { matter: 'Shall we?', ...world },
  );
  // With the round of each part.
  return { ...played, started: () => played.world.order().map((address) => address.replace(/^decide\[(\d+)\]\/decide_/, '$1 ')) };
}

/** The id of the proposal that a voter is asked about at an address. */
function proposalAt(address: string): string {
  const [, turn = '1', round = '1'] = /\[(\d+)\][^#]*#(\d+)/.exec(address) ?? [];
  return `decide-${round === '1' ? '' : `${round}.`}${turn}`;
}

export function voteOf(answer: Answer, proposalId: string): Vote {
  if (answer === 'BLOCK') return { proposalId, vote: 'REJECT', rationale: 'never', blocking: true };
  if (typeof answer === 'string') return { proposalId, vote: answer, rationale: `${answer.toLowerCase()}, because` };
  return { proposalId, vote: 'APPROVE', rationale: 'because', ...answer };
}

/** The failure of an agent that gives no vote. */
export const broken = new ThermidorFailure('reply.invalid', 'its reply is no vote');

export async function settled({ world }: Pick<Played, 'world'>): Promise<void> {
  for (let i = 0; i < 8; i++) await world.settle();
}
