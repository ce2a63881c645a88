import type { OutputShape } from '../../compiler/expression/output-shape';
import { lowerActions } from '../../compiler/lower/action';
import { lowerForm } from '../../compiler/lower/form';
import type { KindLowering } from '../../compiler/lower/kind-lowering';
import { type Member, memberFor, partOfMember } from '../../compiler/lower/parts/members';
import { checkPartIds } from '../../compiler/lower/parts/part-steps';
import { anyApprover, approversIn } from '../../compiler/lower/people/people';
import { addChannel } from '../../compiler/lower/people/policy';
import type { LoweredStep, StepContext } from '../../compiler/lower/step-context';
import type { MemberSource } from '../../compiler/shape/members';
import { defined } from '../../plan/defined';
import type { Form } from '../../plan/expressions/form';
import type { WhoDecides } from '../../plan/people/decision-policy';
import type { ConsensusStep } from '../../plan/steps/step';
import { asksAgent } from '../questions';
import { DEFAULT_PART, DEFAULT_ROUNDS, DEFAULT_VOTE_MS, REVISE_PART } from './model';
import { partsOf } from './parts';
import { CONSENSUS_OUTPUT_SCHEMA } from './rules/tally-report';
import type { ConsensusSource } from './source';

export const CONSENSUS_LOWERING: KindLowering<ConsensusSource> = {
  lower: consensusStep,
  output: (): OutputShape => ({ kind: 'schema', root: CONSENSUS_OUTPUT_SCHEMA, within: [] }),
};

const TWO_THIRDS = { share: [2, 3] } as const;

function consensusStep(work: ConsensusSource, here: StepContext): LoweredStep | undefined {
  const { base, place, context } = here;
  const matter = work.proposal && lowerForm(work.proposal.form, here);
  const voters = votersOf(work, here);
  const rounds = work.rounds ?? DEFAULT_ROUNDS;
  const reviser = reviserOf(work, matter, rounds, here);
  const coordinator = coordinatorOf(work, here);
  const who: WhoDecides = defined({ identity: work.identity, remindMs: work.remindMs });
  addChannel(who, work, context);
  const onFail = work.onFail ? lowerActions(work.onFail, 'on_fail', place, context) : undefined;
  checkIds(work, voters, here);
  checkThreshold(work, voters, here);
  if (!matter || !voters) return undefined;
  const step: ConsensusStep = {
    ...base,
    kind: 'consensus',
    matter,
    voters: voters.map((voter) => ({ name: voter.name, part: partOfMember(voter), kind: voter.kind })),
    threshold: work.threshold?.value ?? TWO_THIRDS,
    rounds,
    timeoutMs: base.timeoutMs ?? DEFAULT_VOTE_MS,
    ...(Object.keys(who).length > 0 ? { people: who } : {}),
    onFail: onFail ?? [{ kind: 'escalate', to: anyApprover(undefined, context) }],
    parts: partsOf({ voters, who, ...defined({ reviser, coordinator }) }, here),
  };
  return { step };
}

/** Undefined if one of them is unknown, or there are none. */
function votersOf({ voters: written, votersAt }: ConsensusSource, here: StepContext): Member[] | undefined {
  const { place, context } = here;
  if (!written || !votersAt) return undefined;
  const [first, second] = written;
  if (!first) {
    context.report('consensus.no-voters', votersAt, `nobody votes in "${place.step.id}"`, 'list agents, or people as person("cfo")');
    return undefined;
  }
  if (!second)
    context.report(
      'consensus.one-voter',
      votersAt,
      `"${first.name.value}" alone votes in "${place.step.id}"`,
      'name others, or use a review or an approval',
    );
  const seen = new Set<string>();
  for (const { name } of written) {
    if (seen.has(name.value))
      context.report(
        'consensus.same-voter',
        name.at,
        `"${name.value}" votes twice in "${place.step.id}"`,
        'a voter has one vote: remove one of the two',
      );
    seen.add(name.value);
  }
  const voters = written.map((voter) => memberFor(voter, here));
  return voters.every((voter) => voter !== undefined) ? voters : undefined;
}

/** The proposer, if nobody is named: the agent of the step that made the proposal, else the owner. */
function reviserOf(work: ConsensusSource, matter: Form | undefined, rounds: number, here: StepContext): string | undefined {
  const { context, place } = here;
  if (work.reviseBy) {
    const member = memberFor(work.reviseBy, here);
    if (member?.kind === 'agent') return member.name;
    if (member)
      context.report(
        'consensus.nobody-revises',
        work.reviseBy.name.at,
        `"${member.name}" is a person, and a proposal is revised by an agent`,
        NAME_REVISER,
      );
    return undefined;
  }
  if (rounds < 2) return undefined;
  const found = (matter && proposerOf(matter, here)) ?? ownerOf(here);
  if (found !== undefined) return found;
  const message = `nobody revises the proposal of "${place.step.id}": no agent has put it out, and the pipeline has no owner`;
  context.report('consensus.nobody-revises', work.proposal?.at ?? place.step.at, message, NAME_REVISER);
  return undefined;
}

const NAME_REVISER = 'write `revise_by:` with an agent, or `rounds: 1`';

function proposerOf(matter: Form, { context }: StepContext): string | undefined {
  const [only] = 'template' in matter ? matter.template : [];
  if (only === undefined || typeof only === 'string' || only.kind !== 'output') return undefined;
  const work = context.places.byId.get(only.step)?.step.work;
  const agent = work && asksAgent(work) ? (work.agent?.value ?? (work.self && context.pipeline.owner?.value)) : undefined;
  if (agent !== undefined) context.namedAgents.add(agent);
  return agent;
}

function ownerOf({ context }: StepContext): string | undefined {
  const owner = context.pipeline.owner?.value;
  if (owner !== undefined) context.namedAgents.add(owner);
  return owner;
}

function coordinatorOf({ abstainBy, channel }: ConsensusSource, here: StepContext): Member | undefined {
  if (abstainBy) return memberFor(abstainBy, here);
  const owner = ownerOf(here);
  if (owner !== undefined) return { kind: 'agent', name: owner };
  const people = approversIn(channel?.value, here.context);
  return people && { kind: 'person', name: 'a person', people };
}

function checkIds({ voters: written = [] }: ConsensusSource, voters: readonly Member[] | undefined, here: StepContext): void {
  const at = (member: Member): Partial<Pick<MemberSource['name'], 'at'>> =>
    defined({ at: written.find(({ name }) => name.value === member.name)?.name.at });
  // One who is named twice is reported as such.
  const own = [...new Map((voters ?? []).map((voter) => [voter.name, voter])).values()];
  checkPartIds(here, [
    { part: REVISE_PART, called: 'the revision of its proposal' },
    { part: DEFAULT_PART, called: 'the decision where all abstain' },
    ...own.map((voter) => ({ part: partOfMember(voter), called: `the vote of ${voter.name}`, ...at(voter) })),
  ]);
}

function checkThreshold({ threshold }: ConsensusSource, voters: readonly Member[] | undefined, { context }: StepContext): void {
  if (!threshold || !voters || !('count' in threshold.value) || threshold.value.count <= voters.length) return;
  const { count } = threshold.value;
  const message = `"threshold" is ${count}, but there ${voters.length === 1 ? 'is one voter' : `are ${voters.length} voters`}: nobody can reach it`;
  context.report('consensus.threshold-too-large', threshold.at, message, 'lower it, or write a share such as 2/3');
}
