import { mergeBranches } from '../../activities/containers/merge-branches';
import type { Json } from '../../plan/text/json';

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

  test('lists what branches disagree on, and takes what most say', () => {
    const other = { id: 'a', n: 9 };
    const { merged, conflicts } = merge('union', { one: [A], two: [other], three: [other] });
    expect(merged).toEqual([other]);
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
    expect(merged).toEqual([at(1, 'x'), 'text', { no: 'key' }]);
    expect(conflicts.map(({ key }) => key)).toEqual([1]);
  });

  test('reads an output that is no list as a list of one', () => {
    expect(merge('union', { one: A, two: 'text', three: { a: [1], b: [2] } }).merged).toEqual([A, 'text', { a: [1], b: [2] }]);
  });

  test('counts a branch once that says a thing twice', () => {
    expect(merge('weighted', { one: [A, A], two: [B] }).merged).toEqual([
      { ...A, weight: 0.5 },
      { ...B, weight: 0.5 },
    ]);
  });

  test.each(['constructor', '__proto__'])('takes %s for a key like any other', (key) => {
    const item = JSON.parse(`{"id": "${key}"}`) as Json;
    expect(merge('union', { one: [item] }).merged).toEqual([item]);
  });
});
