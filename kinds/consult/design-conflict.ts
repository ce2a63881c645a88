import type { Report } from '../../compiler/diagnostics/diagnostic';
import { madeNode } from '../../compiler/read/made-node';
import { entryOf, type MappingNode, type SourceNode } from '../../compiler/read/node';
import { readVote } from '../consensus/read-vote';

/**
 * What follows advice that contradicts the design, as if the file had it behind the step: a vote, `<id>_decide` (docs/patterns.md, CP-8).
 */
export function stepsBehindAdvice(node: MappingNode, id: string, isBranch: boolean, report: Report): SourceNode[] {
  const conflict = entryOf(node, 'on_design_conflict');
  if (!conflict) return [];
  if (isBranch)
    report(
      'shape.key-not-here',
      conflict.keyAt,
      `a branch does not take "${conflict.key}"`,
      'put the step into a branch of its own: `{id, steps}`',
    );
  const keys = readVote(conflict, '"on_design_conflict" of a consult step', report);
  if (!keys || isBranch) return [];
  const proposal = { title: `Shall the advice of ${id} be followed, although it contradicts the design?`, context: `$${id}` };
  const when = `${id}.design_conflict != null`;
  return [madeNode({ ...keys, id: `${id}_decide`, type: 'consensus', when, proposal }, conflict.keyAt)];
}
