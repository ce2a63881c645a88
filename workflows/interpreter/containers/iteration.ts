import type { ControlBlock } from '../../../plan/steps/control';
import { keepOwnerContexts } from '../agents/owner-context';
import type { Interpreter } from '../interpreter';
import { type Place, pathWithin } from '../scheduling/place';
import type { StepRecord } from '../state/step-record';
import type { LoopRecord } from './container-record';
import { forget } from './inner-steps';

/** What the times that a block runs have in common, be they items of a list or rounds. */

/** One that is over leaves no records: what was paid is its container's, and what people decided there. */
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

/** The records of the steps of a block as one of its times left them, by id. */
export function* recordsIn(it: Interpreter, { path }: Place, block: ControlBlock, index: number): Generator<[id: string, StepRecord]> {
  for (const { id } of block.steps) {
    const record = it.run.state.records[pathWithin(path, index, id)];
    if (record) yield [id, record];
  }
}
