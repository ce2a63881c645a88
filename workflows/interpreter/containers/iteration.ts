import type { ControlBlock } from '../../../plan/steps/control';
import { keepOwnerContexts } from '../agents/owner-context';
import type { Interpreter } from '../interpreter';
import { type Place, pathWithin } from '../scheduling/place';
import type { StepRecord } from '../state/step-record';
import type { LoopRecord } from './container-record';
import { forget } from './inner-steps';

/** The common part of a block's repetitions, be they items of a list or rounds. */

/** A finished one leaves no records: its usage and people's decisions move to its container. */
export function closeRecords(it: Interpreter, container: Place, index: number, keeps: Pick<LoopRecord, 'leftContexts'>): void {
  const prefix = `${container.path}[${index}]`;
  const ended = it.run.index.within(it.run.state.records, prefix);
  keepOwnerContexts(
    keeps,
    ended.map(([, one]) => one),
  );
  forget(
    it,
    it.run.record(container.path),
    ended.map(([path]) => path),
  );
}

/** The records that one repetition of a block left, by step id. */
export function* recordsIn(it: Interpreter, { path }: Place, block: ControlBlock, index: number): Generator<[id: string, StepRecord]> {
  for (const { id } of block.steps) {
    const record = it.run.state.records[pathWithin(path, index, id)];
    if (record) yield [id, record];
  }
}
