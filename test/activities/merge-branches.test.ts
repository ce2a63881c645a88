import { mergeBranches } from '../../activities/containers/merge-branches';
import type { Json } from '../../plan/text/json';
import { chance } from '../caid/chance';

function merge(how: 'union' | 'intersection' | 'weighted', branches: Record<string, Json>, key = 'id') {
  return mergeBranches({ how, key }, new Map(Object.entries(branches)));
}

const A = { id: 'a', n: 1 };
const B = { id: 'b', n: 2 };
const C = { id: 'c', n: 3 };

describe('merging branches', () => {
  test('by union takes every key once, in order', () => {
    expect(merge('union', { one: [A, B], two: [B, C] })).toEqual({ merged: [A, B, C], conflicts: [] });
  });

  test('by intersection takes what every branch has', () => {
    expect(merge('intersection', { one: [A, B], two: [C, B], three: [B] }).merged).toEqual([B]);
  });

  test('by weight puts first what most branches have, and says how many', () => {
    const { merged } = merge('weighted', { one: [A, B], two: [B], three: [C, B] });
    expect(merged).toEqual([
      { ...B, weight: 1 },
      { ...A, weight: 0.3333 },
      { ...C, weight: 0.3333 },
    ]);
  });

  test('weighs by confidence: the item’s own, else the branch’s', () => {
    const { merged } = merge('weighted', {
      one: { confidence: 0.5, findings: [A, { ...B, confidence: 0.9 }] },
      two: { confidence: 0.2, findings: [A] },
    });
    expect(merged).toEqual([
      { ...B, confidence: 0.9, weight: 0.45 },
      { ...A, weight: 0.35 },
    ]);
  });

  test('lists what branches disagree on: by intersection it takes what most say, by union all', () => {
    const other = { id: 'a', n: 9 };
    const branches = { one: [A], two: [other], three: [other] };
    const { merged, conflicts } = merge('union', branches);
    expect(merged).toEqual([A, other]);
    expect(merge('intersection', branches)).toEqual({ merged: [other], conflicts });
    expect(conflicts).toEqual([
      {
        key: 'a',
        values: [
          { branch: 'one', value: A },
          { branch: 'two', value: other },
          { branch: 'three', value: other },
        ],
      },
    ]);
  });

  test('takes the weightier of two that disagree', () => {
    const sure = { id: 'a', n: 9, confidence: 0.9 };
    const { merged } = merge('weighted', { one: [{ ...A, confidence: 0.4 }], two: [sure] });
    expect(merged).toEqual([{ ...sure, weight: 0.65 }]);
  });

  test('sees no conflict in a different confidence, nor in the order of keys', () => {
    const { conflicts } = merge('union', { one: [{ id: 'a', n: 1, confidence: 0.1 }], two: [{ n: 1, id: 'a', confidence: 0.8 }] });
    expect(conflicts).toEqual([]);
  });

  test('finds the key at a path; what has none is its own key', () => {
    const at = (line: number, says: string) => ({ place: { line }, says });
    const { merged, conflicts } = merge('union', { one: [at(1, 'x'), 'text'], two: [at(1, 'y'), 'text', { no: 'key' }] }, 'place.line');
    expect(merged).toEqual([at(1, 'x'), at(1, 'y'), 'text', { no: 'key' }]);
    expect(conflicts.map(({ key }) => key)).toEqual([1]);
  });

  test('reads an output that is not a list as a list of one', () => {
    expect(merge('union', { one: A, two: 'text', three: { a: [1], b: [2] } }).merged).toEqual([A, 'text', { a: [1], b: [2] }]);
  });

  test('counts a branch once that says a thing twice', () => {
    expect(merge('weighted', { one: [A, A], two: [B] }).merged).toEqual([
      { ...A, weight: 0.5 },
      { ...B, weight: 0.5 },
    ]);
  });

  describe('of a branch with several items under one key', () => {
    const [x, y, z] = ['x', 'y', 'z'].map((says) => ({ id: 'a', says }));

    test.each(['union', 'intersection'] as const)('by %s keeps each, and it does not conflict with itself', (how) => {
      expect(merge(how, { one: [x, y] as Json })).toEqual({ merged: [x, y], conflicts: [] });
      expect(merge(how, { one: [x, y], two: [y, x] } as Record<string, Json>)).toEqual({ merged: [x, y], conflicts: [] });
    });

    test('by weight keeps each, with a weight of its own', () => {
      const [sure, unsure] = [
        { ...x, confidence: 0.9 },
        { ...y, confidence: 0.3 },
      ];
      const { merged, conflicts } = merge('weighted', { one: [unsure, sure] as Json });
      expect(merged).toEqual([
        { ...sure, weight: 0.9 },
        { ...unsure, weight: 0.3 },
      ]);
      expect(conflicts).toEqual([]);
    });

    test('by weight takes all of the side that prevails, and none of the other', () => {
      const branches = { one: [{ ...z, confidence: 0.2 }], two: [x, y] } as Record<string, Json>;
      const { merged, conflicts } = merge('weighted', branches);
      expect(merged).toEqual([
        { ...x, weight: 0.6 },
        { ...y, weight: 0.6 },
      ]);
      expect(conflicts).toEqual([
        {
          key: 'a',
          values: [
            { branch: 'one', value: { ...z, confidence: 0.2 } },
            { branch: 'two', value: x },
            { branch: 'two', value: y },
          ],
        },
      ]);
    });

    test('a branch that says more than another answers differently', () => {
      const { merged, conflicts } = merge('union', { one: [x, y], two: [x] } as Record<string, Json>);
      expect(merged).toEqual([x, y]);
      expect(conflicts.map(({ key }) => key)).toEqual(['a']);
    });

    test('a branch that says the same twice, and of another confidence, does not differ', () => {
      const { merged, conflicts } = merge('union', { one: [x, { ...x, confidence: 0.2 }], two: [x] } as Record<string, Json>);
      expect({ merged, conflicts }).toEqual({ merged: [x], conflicts: [] });
    });
  });

  test('by union leaves out nothing that a branch has said', () => {
    const dice = chance(7);
    for (let round = 0; round < 300; round++) {
      const items = () => Array.from({ length: dice(6) }, () => ({ id: dice(3), says: dice(4) }));
      const branches = { one: items(), two: items(), three: items() };
      const { merged, conflicts } = merge('union', branches);
      const texts = (list: readonly Json[]) => [...new Set(list.map((item) => JSON.stringify(item)))].sort();
      expect(merged).toHaveLength(texts(merged).length);
      expect(texts(merged)).toEqual(texts(Object.values(branches).flat()));
      for (const { values } of conflicts) expect(new Set(values.map(({ branch }) => branch)).size).toBeGreaterThan(1);
    }
  });

  test.each(['constructor', '__proto__'])('takes %s for a key like any other', (key) => {
    const item = JSON.parse(`{"id": "${key}"}`) as Json;
    expect(merge('union', { one: [item] }).merged).toEqual([item]);
  });
});
