import type { ControlBlock } from '../../../plan/control';
import { keepContexts } from '../agents/own-context';
import type { Interpreter } from '../interpreter';
import { eyesOf, noteWithin } from '../people/eyes';
import { isWithin, type Place, pathWithin, stepIdAt } from '../place';
import type { StepRecord } from '../state/record';
import type { LoopRecord } from './container-record';
import { addTo } from './within';

/** What the times that a block runs have in common, be they items of a list or rounds. */

/** One that is over leaves no records: what was paid is its container's, and what people decided there. */
export function closeRecords(it: Interpreter, container: Place, index: number, keeps: Pick<LoopRecord, 'leftContexts'>): void {
  const { state } = it.run;
  const prefix = `${container.path}[${index}]`;
  const record = it.run.record(container.path);
  const ended = Object.entries(state.records).filter(([path]) => isWithin(path, prefix));
  keepContexts(
    keeps,
    ended.map(([, one]) => one),
  );
  for (const [path, one] of ended) {
    addTo(record, one);
    if (one.asked?.passed || one.within?.eyes) noteWithin(record, eyesOf(it.run.steps.get(stepIdAt(path))?.step, one));
    // Later rounds of the loop must not meet an address that was used.
    record.within = { ...record.within, top: Math.max(record.within?.top ?? 1, one.round, one.within?.top ?? 1) };
    delete state.records[path];
  }
  for (const counter of Object.keys(state.revisions)) if (isWithin(counter, prefix)) delete state.revisions[counter];
  state.skipRest = state.skipRest.filter((key) => key !== prefix && !isWithin(key, prefix));
}

/** The records of the steps of a block as one of its times left them, by id. */
export function* recordsIn(it: Interpreter, { path }: Place, block: ControlBlock, index: number): Generator<[id: string, StepRecord]> {
  for (const { id } of block.steps) {
    const record = it.run.state.records[pathWithin(path, index, id)];
    if (record) yield [id, record];
  }
}
