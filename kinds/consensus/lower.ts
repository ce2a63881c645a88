import type { OutputShape } from '../../compiler/expression/output-shape';
import { lowerForm } from '../../compiler/lower/form';
import type { KindLowering } from '../../compiler/lower/kind-lowering';
import { type Member, memberFor, partOfMember } from '../../compiler/lower/parts/members';
import { checkPartIds } from '../../compiler/lower/parts/part-steps';
import { anyApprover, approversIn } from '../../compiler/lower/people/people';
import { addChannel } from '../../compiler/lower/people/policy';
import type { LoweredStep, StepContext } from '../../compiler/lower/step-context';
import { entryOf } from '../../compiler/read/node';
import { formAt } from '../../compiler/shape/form';
import { type MemberSource, memberOf } from '../../compiler/shape/members';
import type { WorkOf } from '../../compiler/shape/source';
import type { SourceOf } from '../../compiler/shape/source-of';
import { defined } from '../../plan/defined';
import type { Form } from '../../plan/expressions/form';
import type { WhoDecides } from '../../plan/people/decision-policy';
import type { ConsensusStep } from '../../plan/steps/step';
import { asksAgent } from '../questions';
import type { PROPOSAL_ROWS } from './keys';
import { DEFAULT_PART, DEFAULT_ROUNDS, DEFAULT_VOTE_MS, REVISE_PART } from './model';
import { partsOf } from './parts';
import { MOST_OPTIONS, whyNoOption } from './rules/proposal';
import { CONSENSUS_OUTPUT_SCHEMA } from './rules/tally-report';

type ConsensusSource = WorkOf<'consensus'>;

export const CONSENSUS_LOWERING: KindLowering<ConsensusSource> = {
  lower: consensusStep,
  output: (): OutputShape => ({ kind: 'schema', root: CONSENSUS_OUTPUT_SCHEMA, within: [] }),
};

const TWO_THIRDS = { share: [2, 3] } as const;

function consensusStep(work: ConsensusSource, here: StepContext): LoweredStep | undefined {
  const { base, context, actions } = here;
  const matter = matterOf(work, here);
  const voters = votersOf(work, here);
  const rounds = work.rounds ?? DEFAULT_ROUNDS;
  const reviser = reviserOf(work, matter, rounds, here);
  const coordinator = coordinatorOf(work, here);
  const who: WhoDecides = defined({ identity: work.identity === 'proven' ? work.identity : undefined, remindMs: work.remindMs });
  addChannel(who, work, context);
  const onFail = actions(work.onFail, 'on_fail');
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

/** What is voted on: a text, a step's output, or a mapping with what voters choose among, as it is. */
function matterOf({ node, proposal }: ConsensusSource, here: StepContext): Form | undefined {
  const entry = entryOf(node, 'proposal');
  if (!entry || !proposal) return undefined;
  if ('node' in proposal) checkOptions(proposal, here);
  // Mistakes were reported when the rows were read.
  const form = formAt(entry, () => undefined);
  return form && lowerForm(form, here);
}

function checkOptions({ node, options }: SourceOf<typeof PROPOSAL_ROWS>, { context: { report } }: StepContext): void {
  const list = entryOf(node, 'options')?.value;
  if (!options || list?.kind !== 'sequence') return;
  const { length } = list.items;
  if (length === 1 || length > MOST_OPTIONS)
    report('shape.out-of-range', list.at, `"options" has ${length} options, but takes from 2 to ${MOST_OPTIONS}`);
  const seen = new Set<string>();
  for (const { id } of options) {
    if (!id) continue;
    const problem = whyNoOption(id.value);
    if (problem !== undefined) report('names.invalid', id.at, problem, 'write a word such as A or keep-it');
    if (seen.has(id.value)) report('consensus.same-option', id.at, `two options are called "${id.value}"`, 'give each an id of its own');
    seen.add(id.value);
  }
}

/** Undefined if one of them is unknown, or there are none. */
function votersOf({ voters: written, node }: ConsensusSource, here: StepContext): Member[] | undefined {
  const { place, context } = here;
  const votersAt = entryOf(node, 'voters')?.value.at;
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
  const entry = entryOf(work.node, 'revise_by');
  if (entry) {
    const named = memberOf(entry, context.report);
    const member = named && memberFor(named, here);
    if (member?.kind === 'agent') return member.name;
    if (named && member)
      context.report(
        'consensus.nobody-revises',
        named.name.at,
        `"${member.name}" is a person, but only an agent can revise a proposal`,
        NAME_REVISER,
      );
    return undefined;
  }
  if (rounds < 2) return undefined;
  const found = (matter && proposerOf(matter, here)) ?? ownerOf(here);
  if (found !== undefined) return found;
  const message = `nobody revises the proposal of "${place.step.id}": it is not the output of an agent, and the pipeline has no owner`;
  context.report('consensus.nobody-revises', entryOf(work.node, 'proposal')?.value.at ?? place.step.at, message, NAME_REVISER);
  return undefined;
}

const NAME_REVISER = 'write `revise_by:` with an agent, or `rounds: 1`';

function proposerOf(matter: Form, { context }: StepContext): string | undefined {
  const [only] = 'template' in matter ? matter.template : [];
  if (only === undefined || typeof only === 'string' || only.kind !== 'output') return undefined;
  const work = context.places.byId.get(only.step)?.step.work;
  const agent =
    work && asksAgent(work) ? (work.agent?.value ?? (work.action === 'self' ? context.pipeline.owner?.value : undefined)) : undefined;
  if (agent !== undefined) context.namedAgents.add(agent);
  return agent;
}

function ownerOf({ context }: StepContext): string | undefined {
  const owner = context.pipeline.owner?.value;
  if (owner !== undefined) context.namedAgents.add(owner);
  return owner;
}

function coordinatorOf({ allAbstain, channel }: ConsensusSource, here: StepContext): Member | undefined {
  if (allAbstain?.by) return memberFor(allAbstain.by, here);
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
    { part: DEFAULT_PART, called: 'the decision if all abstain' },
    ...own.map((voter) => ({ part: partOfMember(voter), called: `the vote of ${voter.name}`, ...at(voter) })),
  ]);
}

function checkThreshold({ threshold }: ConsensusSource, voters: readonly Member[] | undefined, { context }: StepContext): void {
  if (!threshold || !voters || !('count' in threshold.value) || threshold.value.count <= voters.length) return;
  const { count } = threshold.value;
  const message = `"threshold" is ${count}, but there ${voters.length === 1 ? 'is one voter' : `are ${voters.length} voters`}: nobody can reach it`;
  context.report('consensus.threshold-too-large', threshold.at, message, 'lower the threshold, or write a share such as 2/3');
}
