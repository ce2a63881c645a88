import type { Report } from '../../compiler/diagnostics/diagnostic';
import { type Made, madeNode } from '../../compiler/read/made-node';
import { type Entry, entryOf, type MappingNode, type SourceNode } from '../../compiler/read/node';
import { checkKeys, requireKey } from '../../compiler/shape/keys';
import { mappingOf, textOf } from '../../compiler/shape/values';
import { keysOf } from '../../compiler/shape/vocabulary';

/**
 * What follows a fan-out, as if the file had it behind the step: a vote on what its branches disagree about, `<id>_decide`, and a summary, `<id>_summary`
 * (patterns.md, CP-3).
 */
export function stepsBehind(node: MappingNode, id: string, isBranch: boolean, report: Report): SourceNode[] {
  const [conflict, summary, merge] = ['on_conflict', 'summarise_by', 'merge'].map((key) => entryOf(node, key));
  const [first] = [conflict, summary].filter((entry) => entry !== undefined);
  if (!first) return [];
  if (!merge) report('shape.missing-key', first.keyAt, `"${first.key}" requires a "merge"`, 'add `merge: { how: union, key: name }`');
  if (isBranch)
    report(
      'shape.key-not-here',
      first.keyAt,
      `a branch does not take "${first.key}"`,
      'put the step into a branch of its own: `{id, steps}`',
    );
  const vote = conflict && readVote(conflict, report);
  const by = summary && textOf(summary, report);
  if (!merge || isBranch) return [];
  return [
    ...(conflict && vote ? [madeNode(voteOn(id, vote), conflict.keyAt)] : []),
    ...(summary && by ? [madeNode(summaryOf(id, summary, vote !== undefined), summary.keyAt)] : []),
  ];
}

/** `{consensus: {voters, …}}`: the keys of the vote. */
function readVote(entry: Entry, report: Report): Record<string, SourceNode> | undefined {
  const node = mappingOf(entry, report, 'a mapping such as {consensus: {voters: [a, b, c]}}');
  if (!node) return undefined;
  checkKeys(node, { what: '"on_conflict" of a parallel step', known: keysOf('fan-in-conflict') }, report);
  requireKey(node, 'consensus', '"on_conflict" of a parallel step', report, 'add `consensus: {voters: [a, b, c]}`');
  const consensus = entryOf(node, 'consensus');
  const keys = consensus && mappingOf(consensus, report, 'a mapping such as {voters: [a, b, c]}');
  if (!keys) return undefined;
  checkKeys(keys, { what: '"consensus"', known: keysOf('fan-in-vote') }, report);
  return Object.fromEntries(keys.entries.map(({ key, value }) => [key, value]));
}

function voteOn(id: string, keys: Record<string, SourceNode>): Made {
  const proposal = {
    title: `The findings that prevail where the branches of ${id} disagree`,
    context: { conflicts: `$${id}.json.conflicts`, merged: `$${id}.json.merged` },
  };
  return { ...keys, id: `${id}_decide`, type: 'consensus', when: `!${id}.consensus`, proposal };
}

function summaryOf(id: string, { value }: Entry, isVoted: boolean): Made {
  const decided = isVoted ? `\n\nWhat was decided where they disagree: \${default(${id}_decide, "they agree")}` : '';
  const prompt = `Sum up what was found, in a few sentences, and name what nobody looked at.\n\nFound: \${${id}.merged}\n\nConflicts: \${${id}.conflicts}${decided}\n\nMissing: \${${id}.missing}`;
  return { id: `${id}_summary`, agent: value, prompt };
}
