import type { Report } from '../../compiler/diagnostics/diagnostic';
import { RANGES } from '../../compiler/language/ranges';
import { type Entry, entryOf, type MappingNode, type SourceNode } from '../../compiler/read/node';
import { readActions } from '../../compiler/shape/action';
import { formAt } from '../../compiler/shape/form';
import { checkKeys, requireKey } from '../../compiler/shape/keys';
import { memberOf, membersOf } from '../../compiler/shape/members';
import { readWho } from '../../compiler/shape/policy';
import { quorumSetting } from '../../compiler/shape/quorum';
import type { ReadContext } from '../../compiler/shape/read-context';
import type { StepSource } from '../../compiler/shape/source';
import { integerOf, mappingOf, sequenceOf, textOf, textsOf } from '../../compiler/shape/values';
import { keysOf } from '../../compiler/shape/vocabulary';
import { MOST_OPTIONS, whyNoOption } from './rules/proposal';
import type { ConsensusSource } from './source';

/** Reads who votes on what, and what follows if it does not pass. */
export function readConsensus(node: MappingNode, _step: StepSource, { report }: ReadContext): ConsensusSource {
  const get = (key: string): Entry | undefined => entryOf(node, key);
  const work: ConsensusSource = { kind: 'consensus' };
  requireKey(
    node,
    'proposal',
    'a step of kind "consensus"',
    report,
    'add `proposal:`, what is voted on: a text, `$step` or {title, options}',
  );
  requireKey(node, 'voters', 'a step of kind "consensus"', report, 'add `voters: [architect, person("cfo")]`');
  readProposal(work, get('proposal'), report);
  const [voters, threshold, rounds] = [get('voters'), get('threshold'), get('rounds')];
  const members = voters && membersOf(voters, report);
  if (voters && members) Object.assign(work, { voters: members, votersAt: voters.value.at });
  const share = threshold && quorumSetting(threshold, report);
  if (share) work.threshold = share;
  const most = rounds && integerOf(rounds, RANGES.voteRounds.min, RANGES.voteRounds.max, report);
  if (most !== undefined) work.rounds = most;
  const reviser = get('revise_by');
  const revises = reviser && memberOf(reviser, report);
  if (revises) work.reviseBy = revises;
  readAbstention(work, get('all_abstain'), report);
  const failed = get('on_fail');
  const actions = failed && readActions(failed, 'on_fail', report);
  if (actions) work.onFail = actions;
  readWho(node, work, report);
  return work;
}

function readProposal(work: ConsensusSource, entry: Entry | undefined, report: Report): void {
  if (!entry) return;
  const { value } = entry;
  const isWhole = value.kind !== 'sequence';
  const node =
    value.kind === 'scalar' ? textOf(entry, report) : mappingOf(entry, report, 'a text, `$step`, or a mapping such as {title, options}');
  if (!node) return;
  if (value.kind === 'mapping') checkProposal(value, report);
  const form = isWhole ? formAt(entry, report) : undefined;
  if (form) work.proposal = { form, at: value.at };
}

function checkProposal(node: MappingNode, report: Report): void {
  checkKeys(node, { what: '"proposal"', known: keysOf('proposal') }, report);
  requireKey(node, 'title', '"proposal"', report, 'add `title:`, what is decided, in one line');
  checkTexts(node, ['title'], report);
  const options = entryOf(node, 'options');
  const list = options && sequenceOf(options, report, 'a list of options such as [{id: A, description: …}]');
  if (!options || !list) return;
  if (list.items.length === 1 || list.items.length > MOST_OPTIONS)
    report(
      'shape.out-of-range',
      options.value.at,
      `"options" has ${list.items.length} options: from 2 to ${MOST_OPTIONS} can be chosen among`,
    );
  const seen = new Set<string>();
  for (const item of list.items) checkOption(item, options, seen, report);
}

function checkTexts(node: MappingNode, keys: readonly string[], report: Report): void {
  for (const key of keys) {
    const entry = entryOf(node, key);
    if (entry) textOf(entry, report);
  }
}

function checkOption(item: SourceNode, options: Entry, seen: Set<string>, report: Report): void {
  const node = mappingOf({ ...options, value: item }, report, 'a mapping such as {id: A, description: …}');
  if (!node) return;
  checkKeys(node, { what: 'an option', known: keysOf('proposal-option') }, report);
  requireKey(node, 'id', 'an option', report, 'add `id: A`, what voters answer with');
  checkTexts(node, ['description'], report);
  for (const key of ['pros', 'cons']) {
    const list = entryOf(node, key);
    if (list) textsOf(list, report);
  }
  const entry = entryOf(node, 'id');
  const id = entry && textOf(entry, report);
  if (!id) return;
  const problem = whyNoOption(id.value);
  if (problem !== undefined) report('names.invalid', id.at, problem, 'write a word such as A or keep-it');
  if (seen.has(id.value)) report('consensus.same-option', id.at, `two options are called "${id.value}"`, 'give each an id of its own');
  seen.add(id.value);
}

function readAbstention(work: ConsensusSource, entry: Entry | undefined, report: Report): void {
  const node = entry && mappingOf(entry, report, 'a mapping such as {by: coordinator}');
  if (!node) return;
  checkKeys(node, { what: '"all_abstain"', known: keysOf('all-abstain') }, report);
  requireKey(node, 'by', '"all_abstain"', report, 'add `by:`, who decides then');
  const by = entryOf(node, 'by');
  const member = by && memberOf(by, report);
  if (member) work.abstainBy = member;
}
