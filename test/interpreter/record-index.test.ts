import { isWithin } from '../../plan/steps/address';
import type { GateRecord } from '../../workflows/interpreter/gates/gate-record';
import { indexRecords, isAtRest } from '../../workflows/interpreter/state/record-index';
import { freshRecord, type StepRecord } from '../../workflows/interpreter/state/step-record';

function randomly(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

const PATHS = [
  'a',
  'b',
  'par',
  'par[0]/x',
  'par[1]/y',
  'par[1]/y/z',
  'loop',
  'loop[0]/s',
  'loop[1]/s',
  'loop[10]/s',
  'loop[1]/in[2]/t',
  'loops/s',
];

const OUTER = ['a', 'par', 'par[1]', 'par[1]/y', 'loop', 'loop[1]', 'loop[1]/in', 'none'];

const isUnderWay = ([, record]: [string, StepRecord]): boolean => !isAtRest(record);
const pathsOf = (entries: readonly [string, StepRecord][]): string => entries.map(([path]) => path).join(' ');

describe('the index of records', () => {
  it.each([1, 2, 3, 4, 5])('finds what going over all of them finds, in the same order (seed %d)', (seed) => {
    const random = randomly(seed);
    const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
    const records: Record<string, StepRecord> = {};
    let index = indexRecords(records);
    for (let round = 0; round < 2000; round++) {
      const path = pick(PATHS);
      const what = random();
      const known = records[path];
      if (!known || what < 0.3) {
        records[path] = freshRecord(round);
        index.add(path);
      } else if (what < 0.6) {
        known.state = pick(['done', 'skipped', 'failed'] as const);
        index.settled(path, known);
      } else if (what < 0.8) {
        delete records[path];
        index.drop(path);
      } else if (what < 0.82) index = indexRecords(records);
      const all = Object.entries(records);
      const found = {
        live: pathsOf(index.live(records).filter(isUnderWay)),
        within: OUTER.map((outer) => pathsOf(index.within(records, outer))),
      };
      const there = {
        live: pathsOf(all.filter(isUnderWay)),
        within: OUTER.map((outer) => pathsOf(all.filter(([path]) => isWithin(path, outer)))),
      };
      expect(found).toEqual(there);
    }
  });

  it('keeps a settled step whose gate is open, or whose child goes on', () => {
    const child = { workflowId: 'c', state: 'running', gates: [], line: { read: 0 } };
    const records: Record<string, StepRecord> = {
      gate: { ...freshRecord(1), state: 'done', asked: { gate: { kind: 'budget' } as GateRecord } },
      child: { ...freshRecord(1), state: 'skipped', kept: { kind: 'pipeline', child } as NonNullable<StepRecord['kept']> },
      rest: { ...freshRecord(1), state: 'done' },
    };
    expect(
      indexRecords(records)
        .live(records)
        .map(([path]) => path),
    ).toEqual(['gate', 'child']);
  });
});
