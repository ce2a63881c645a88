import { OPEN, type OutputShape } from '../../compiler/expression/output-shape';
import { fieldsOfBlock } from '../../compiler/lower/block-shape';
import type { KindLowering, Shapes } from '../../compiler/lower/kind-lowering';
import type { LoweredStep, StepContext } from '../../compiler/lower/step-context';
import type { ParallelSource } from '../../compiler/shape/source';
import type { StepPosition } from '../../compiler/step-positions';
import { DEFAULT_MERGE_MS } from './model';

export const PARALLEL_LOWERING: KindLowering<ParallelSource> = {
  lower: parallelStep,
  output: (work, place, shapes) => parallelShape(place, work.merge !== undefined, shapes),
};

function parallelStep(work: ParallelSource, { base, place, inner }: StepContext): LoweredStep {
  const branches = place.inner ? inner(place.inner).steps : [];
  const step: LoweredStep['step'] = { ...base, kind: 'parallel', branches };
  if (work.wait) step.wait = work.wait;
  if (work.wait === 'some') step.timeoutMs ??= DEFAULT_MERGE_MS;
  if (work.maxConcurrent !== undefined) step.maxConcurrent = work.maxConcurrent;
  if (work.merge) step.merge = work.merge;
  return { step };
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
