import type { Interpreter } from '../interpreter';
import type { PlaceOf } from '../scheduling/place';
import type { KindInRounds } from '../state/kept-by-kind';
import { openKindState } from '../state/kind-state';
import type { StepRecord } from '../state/step-record';
import { valuesRead } from '../state/values-read';
import type { RoundsRecord } from './container-record';
import { closeRecords, recordsIn } from './iteration';

/** The state of a loop of rounds, and how it is kept small. */

/** @param most how many rounds a try has, unless a failure cuts it short */
export function openRounds(record: StepRecord, step: { kind: KindInRounds }, most: number): RoundsRecord {
  const kept = openKindState(record, step.kind);
  kept.rounds ??= { over: 0, limit: most, outputs: {} };
  const { rounds } = kept;
  if (rounds.exhaustedIn !== undefined && rounds.exhaustedIn < record.try) {
    rounds.limit += most;
    delete rounds.exhaustedIn;
  }
  return rounds;
}

/** A round is over: its outputs replace those of the earlier one, and nothing else of it stays. */
export function closeRound(it: Interpreter, place: PlaceOf<KindInRounds>, rounds: RoundsRecord, met: boolean): void {
  const { run } = it;
  const round = rounds.over + 1;
  rounds.outputs = {};
  delete rounds.values;
  for (const [id, record] of recordsIn(it, place, place.step.block, round)) {
    const artifact = record.output?.artifact;
    const values = valuesRead(record);
    if (artifact) rounds.outputs[id] = artifact;
    if (values && !met) {
      rounds.values ??= {};
      rounds.values[id] = values;
    }
  }
  closeRecords(it, place, round, rounds);
  rounds.over = round;
  if (met) rounds.met = true;
  else if (round < rounds.limit) {
    const reason = `round ${round + 1} of at most ${rounds.limit}`;
    run.journal.add({ kind: 'step', step: run.name(place.path), state: 'running', reason });
  }
  it.changed();
}
