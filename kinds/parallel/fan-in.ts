import type { Report } from '../../compiler/diagnostics/diagnostic';
import { type Made, madeNode } from '../../compiler/read/made-node';
import { type Entry, entryOf, type MappingNode, type SourceNode } from '../../compiler/read/node';
import { textOf } from '../../compiler/shape/values';
import { readVote } from '../consensus/read-vote';

/**
 * The steps after a fan-out, as if the file had them: a vote on its branches' disagreements, `<id>_decide`, and a summary, `<id>_summary`
 * (docs/patterns.md, CP-3).
 */
export function stepsBehindBranches(node: MappingNode, id: string, isBranch: boolean, report: Report): SourceNode[] {
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
  const vote = conflict && readVote(conflict, '"on_conflict" of a parallel step', report);
  const by = summary && textOf(summary, report);
  if (!merge || isBranch) return [];
  return [
    ...(conflict && vote ? [madeNode(voteOn(id, vote), conflict.keyAt)] : []),
    ...(summary && by ? [madeNode(summaryOf(id, summary, vote !== undefined), summary.keyAt)] : []),
  ];
}

function voteOn(id: string, keys: Record<string, SourceNode>): Made {
  const proposal = {
    title: `Which findings prevail if the branches of ${id} disagree`,
    context: { conflicts: `$${id}.json.conflicts`, merged: `$${id}.json.merged` },
  };
  return { ...keys, id: `${id}_decide`, type: 'consensus', when: `${id}.consensus == false`, proposal };
}

function summaryOf(id: string, { value }: Entry, isVoted: boolean): Made {
  const decided = isVoted ? `\n\nWhat was decided where they disagree: \${default(${id}_decide, "they agree")}` : '';
  const prompt = `Sum up what was found, in a few sentences, and name what nobody looked at.\n\nFound: \${${id}.merged}\n\nConflicts: \${${id}.conflicts}${decided}\n\nMissing: \${${id}.missing}`;
  // Branches that agree skip the vote, and are summed up; if none has run there is nothing to say.
  return { id: `${id}_summary`, agent: value, when: `!skipped(${id}) && !failed(${id})`, prompt };
}
