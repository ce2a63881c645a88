import { RANGES } from '../../compiler/language/ranges';
import { entryOf, type MappingNode } from '../../compiler/read/node';
import { readActions } from '../../compiler/shape/action';
import { readAgentWork } from '../../compiler/shape/agent-work';
import type { ReadContext } from '../../compiler/shape/read-context';
import type { StepSource } from '../../compiler/shape/source';
import { integerOf, textOf } from '../../compiler/shape/values';
import { DEFAULT_STALL_ROUNDS } from './model';
import type { ReviewSource } from './source';

/** Reads how an agent judges, and what follows its verdict. */
export function readReview(node: MappingNode, _step: StepSource, { report }: ReadContext): ReviewSource {
  const work = readAgentWork<ReviewSource>({ kind: 'review' }, node, report);
  const [of, onRevise, onBlock] = [entryOf(node, 'of'), entryOf(node, 'on_revise'), entryOf(node, 'on_block')];
  const judged = of && textOf(of, report);
  if (judged) work.of = judged;
  const revise = onRevise && readActions(onRevise, 'on_revise', report);
  if (revise && revise.length > 1)
    report('action.not-here', revise[1]?.at ?? onRevise.keyAt, '"on_revise" takes one action', 'keep the retry');
  if (revise) work.onRevise = revise;
  const block = onBlock && readActions(onBlock, 'on_block', report);
  if (block) work.onBlock = block;
  const [critic, stall] = [entryOf(node, 'critic'), entryOf(node, 'stall_rounds')];
  const second = critic && textOf(critic, report);
  if (second) work.critic = second;
  const rounds = stall && integerOf(stall, RANGES.stallRounds.min, RANGES.stallRounds.max, report);
  if (rounds !== undefined) work.stallRounds = rounds;
  const [onStall, onUnfixable] = [entryOf(node, 'on_stall'), entryOf(node, 'on_unfixable')];
  const stalled = onStall && readActions(onStall, 'on_stall', report);
  if (stalled) Object.assign(work, { onStall: stalled, stallRounds: work.stallRounds ?? DEFAULT_STALL_ROUNDS });
  const unfixable = onUnfixable && readActions(onUnfixable, 'on_unfixable', report);
  if (unfixable) work.onUnfixable = unfixable;
  for (const entry of [stall, onStall])
    if (entry && !onRevise)
      report('shape.missing-key', entry.keyAt, `"${entry.key}" requires an "on_revise"`, 'add `on_revise: retry(step, max=3)`');
  return work;
}
