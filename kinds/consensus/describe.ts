import { defined } from '../../plan/defined';
import { fillForm } from '../../plan/expressions/form';
import { type FrozenQuorum, neededOf } from '../../plan/people/quorum';
import { type Action, describeActions } from '../../plan/steps/action';
import type { Description } from '../../plan/steps/description';
import { fact, stepLabel } from '../../plan/steps/description-parts';
import type { ConsensusStep } from '../../plan/steps/step';
import { duration } from '../../plan/text/duration';
import { field, type Json } from '../../plan/text/json';
import { DEFAULT_PART, REVISE_PART } from './model';
import { awaitedVoters, describeCounts } from './view';

export interface ShownConsensus {
  kind: 'consensus';
  proposal: Json;
  voters: string[];
  threshold: string;
  rounds: number;
  revisedBy?: string;
  /** Who decides if all abstain. */
  decidedBy?: string;
  onFail: Action[];
  /** How people are asked. */
  channel?: string;
  identity?: 'proven';
  remindMs?: number;
}

export const CONSENSUS_DESCRIPTION: Description<ConsensusStep, ShownConsensus> = {
  data: ({ id, matter, voters, threshold, rounds, onFail, parts, people }, words) => ({
    kind: 'consensus',
    proposal: fillForm(matter, (template) => words.value(template)),
    voters: voters.map(({ name, kind }) => (kind === 'person' ? `person("${name}")` : name)),
    threshold: describeThreshold(threshold, voters.length),
    rounds,
    ...defined({ revisedBy: agentOf(parts, `${id}_${REVISE_PART}`), decidedBy: agentOf(parts, `${id}_${DEFAULT_PART}`) }),
    onFail,
    ...people,
  }),
  line: ({ voters, threshold }) => `${voters.join(', ')} vote: ${threshold} must approve`,
  facts: ({ proposal, rounds, revisedBy, decidedBy, onFail, channel, identity, remindMs }) => [
    ...fact('proposal', textOf(proposal)),
    ...fact('options', optionsIn(proposal)),
    ...fact('rounds', rounds === 1 ? 'one' : `at most ${rounds}, the proposal is revised by ${revisedBy ?? 'nobody'}`),
    ...fact('if all abstain', decidedBy === undefined ? 'a person decides' : `${decidedBy} decides`),
    ...fact('people are asked', channel === undefined ? undefined : `in ${channel}`),
    ...fact('identity', identity),
    ...fact('reminds', remindMs === undefined ? undefined : `every ${duration(remindMs)}`),
    ...fact('on fail', describeActions(onFail)),
  ],
  label: ({ voters, threshold }, view) =>
    stepLabel(
      view?.vote
        ? [describeCounts(view.vote), awaitedVoters(view.vote).length > 0 && `waits for ${awaitedVoters(view.vote).join(', ')}`]
        : [`${voters.length} voters`, `${describeThreshold(threshold, voters.length)} must approve`],
    ),
  shape: 'frame',
  frame: 'vote',
};

function describeThreshold(threshold: FrozenQuorum, voters: number): string {
  if (typeof threshold === 'object' && 'share' in threshold) return threshold.share.join('/');
  return `${neededOf(threshold, voters)} of ${voters}`;
}

function agentOf(parts: ConsensusStep['parts'], id: string): string | undefined {
  const part = parts.find((one) => one.id === id);
  return part && 'agent' in part ? part.agent : undefined;
}

function textOf(proposal: Json): string {
  const title = field(proposal, 'title') ?? proposal;
  return typeof title === 'string' ? title : JSON.stringify(title);
}

function optionsIn(proposal: Json): string | undefined {
  const options = field(proposal, 'options');
  if (!Array.isArray(options)) return undefined;
  return options.map((option) => ['id', 'description'].flatMap((key) => field(option, key) ?? []).join(': ')).join('; ');
}
