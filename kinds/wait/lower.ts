import { NOTHING, OPEN } from '../../compiler/expression/output-shape';
import { controlOf } from '../../compiler/lower/context';
import type { Here, LoweredStep } from '../../compiler/lower/here';
import type { Lowering } from '../../compiler/lower/lowering';
import type { WaitSource } from './source';

export const WAIT_LOWERING: Lowering<WaitSource> = {
  lower: waitStep,
  output: (work) => (work.signal === undefined ? NOTHING : OPEN),
};

function waitStep(work: WaitSource, { base, place, context }: Here): LoweredStep | undefined {
  const until = controlOf(work.until, place, context);
  if (work.forMs !== undefined) return { step: { ...base, kind: 'wait', forMs: work.forMs } };
  if (work.signal !== undefined) return { step: { ...base, kind: 'wait', signal: work.signal } };
  return until && { step: { ...base, kind: 'wait', until } };
}
