import type { Located, Report } from '../../compiler/diagnostics/diagnostic';
import { OPEN, type OutputShape } from '../../compiler/expression/output-shape';
import { fieldsOfBlock } from '../../compiler/lower/block-shape';
import type { KindLowering, Shapes } from '../../compiler/lower/kind-lowering';
import type { LoweredStep, StepContext } from '../../compiler/lower/step-context';
import { entryOf } from '../../compiler/read/node';
import { checkKeys, requireKey } from '../../compiler/shape/keys';
import type { WorkOf } from '../../compiler/shape/source';
import { conflict } from '../../compiler/shape/values';
import type { StepPosition } from '../../compiler/step-positions';
import { defined } from '../../plan/defined';
import type { Quorum } from '../../plan/people/quorum';
import type { MergeSpec } from '../../plan/steps/merged-output';
import { DEFAULT_MERGE_MS, type ParallelWait } from './model';

type ParallelSource = WorkOf<'parallel'>;

export const PARALLEL_LOWERING: KindLowering<ParallelSource> = {
  lower: parallelStep,
  output: (work, place, shapes) => parallelShape(place, entryOf(work.node, 'merge') !== undefined, shapes),
};

function parallelStep(work: ParallelSource, { base, place, inner, context: { report } }: StepContext): LoweredStep {
  const { node, maxConcurrent } = work;
  requireKey(node, 'branches', 'a step of kind "parallel"', report, 'add `branches:`, a list of steps');
  const branches = place.inner ? inner(place.inner).steps : [];
  const wait = waitOf(work, report);
  const merge = mergeOf(work, report);
  const timeoutMs = base.timeoutMs ?? (wait === 'some' ? DEFAULT_MERGE_MS : undefined);
  return { step: { ...base, kind: 'parallel', branches, ...defined({ wait, timeoutMs, maxConcurrent, merge }) } };
}

/** A step that merges names what it must have in any case. */
function waitOf({ node, wait, branches = [] }: ParallelSource, report: Report): ParallelWait | undefined {
  if (entryOf(node, 'merge') && !entryOf(node, 'wait')) return 'some';
  if (typeof wait !== 'object') return wait === 'any' ? wait : undefined;
  const { quorum } = wait;
  if (!quorum) return undefined;
  checkCount(quorum, branches.length, report);
  return { quorum: quorum.value };
}

function checkCount({ value, at }: Located<Quorum>, branches: number, report: Report): void {
  if (!('count' in value)) return;
  if (value.count > branches) {
    report('parallel.quorum-too-large', at, `"quorum" is ${value.count}, but there are ${branches} branches`, 'lower it, or add branches');
  } else if (value.count === 1 && branches > 1) {
    const hint = 'write `wait: any` if one is enough, `wait: all` or a quorum of 1.0 if all are needed';
    report('parallel.quorum-one', at, '"quorum: 1" means one branch, not all of them', hint);
  }
}

function mergeOf({ node, merge, key, branches = [] }: ParallelSource, report: Report): MergeSpec | undefined {
  const [entry, outer] = [entryOf(node, 'merge'), entryOf(node, 'key')];
  if (typeof merge !== 'object') {
    if (entry && entry.value.kind !== 'mapping' && !outer)
      report('shape.missing-key', entry.keyAt, '"merge" requires a "key"', 'add `key:`, the field that identifies an item');
    return merge && key ? { how: merge, key: key.value } : undefined;
  }
  const [inner, weights] = [entryOf(merge.node, 'key'), entryOf(merge.node, 'weights')];
  if (outer && inner) conflict(outer, inner, report);
  const { how } = merge;
  for (const weighted of [weights, entryOf(merge.node, 'min_weight')])
    if (weighted && how && how !== 'weighted')
      report('shape.conflicting-keys', weighted.keyAt, `"${weighted.key}" needs \`how: weighted\`, not ${how}`, 'remove one of the two');
  if (weights?.value.kind === 'mapping') checkKeys(weights.value, { what: '"weights"', known: branches.map(({ id }) => id) }, report);
  const byBranch = merge.weights && Object.fromEntries([...merge.weights].map(([branch, { value }]) => [branch, value]));
  return how && merge.key ? { how, key: merge.key.value, ...defined({ weights: byBranch, minWeight: merge.minWeight }) } : undefined;
}

function parallelShape(place: StepPosition, merged: boolean, shapes: Shapes): OutputShape {
  const branches = fieldsOfBlock(place.inner, shapes.of);
  if (!merged) return { kind: 'fields', fields: branches };
  const fields: [string, OutputShape][] = [
    ['results', { kind: 'fields', fields: branches }],
    ['merged', { kind: 'list', of: OPEN }],
    ['conflicts', { kind: 'list', of: OPEN }],
    ['missing', { kind: 'list', of: OPEN }],
    ...['consensus', 'completed', 'total', 'timedOut'].map((name): [string, OutputShape] => [name, OPEN]),
  ];
  return { kind: 'fields', fields: new Map(fields) };
}
