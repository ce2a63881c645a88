import { type Alignment, alignTracks, valuesOfAlignment } from '../../kinds/tracks/rules/alignment';
import { reportTracks, type SyncResult } from '../../kinds/tracks/rules/report';
import type { Json } from '../../plan/text/json';

const aligned = (answer: Json | undefined): Alignment => alignTracks({ sync: 's', attempt: 1 }, answer === undefined ? {} : { answer });

describe('the answer of a check', () => {
  it.each([
    ['success · ALIGNED is aligned, and nobody adjusts', { status: 'ALIGNED', adjust: 'a' }, 'ALIGNED', []],
    ['workflow · a adjusts where it is named', { status: 'MISALIGNED', adjust: 'a' }, 'MISALIGNED', ['a']],
    ['workflow · b adjusts where it is named', { status: 'MISALIGNED', adjust: 'b' }, 'MISALIGNED', ['b']],
    ['workflow · both adjust where both are named', { status: 'MISALIGNED', adjust: 'both' }, 'MISALIGNED', ['a', 'b']],
    ['entry · both adjust where nobody is named', { status: 'MISALIGNED' }, 'MISALIGNED', ['a', 'b']],
    ['entry · both adjust where nobody knows who is named', { status: 'MISALIGNED', adjust: 'c' }, 'MISALIGNED', ['a', 'b']],
    ['entry · another word is not aligned', { status: 'aligned' }, 'MISALIGNED', ['a', 'b']],
    ['entry · what is no answer is not aligned', 'ALIGNED', 'MISALIGNED', ['a', 'b']],
    ['silence/abstention · no answer at all is not aligned', undefined, 'MISALIGNED', ['a', 'b']],
  ] as [string, Json | undefined, string, string[]][])('CP-9 · %s', (_, answer, status, adjust) => {
    expect(aligned(answer)).toMatchObject({ sync_id: 's', attempt: 1, status, adjust, conflicts: [] });
  });

  it('CP-9 · entry · the report has all conflicts in full, control and the journal have some in brief', () => {
    const conflicts = Array.from({ length: 100 }, (_, i) => ({ description: `conflict ${i}`, text: 'x'.repeat(2000) }));
    const alignment = aligned({ status: 'MISALIGNED', conflicts, trackA_state: 'y'.repeat(9000) });
    expect(alignment.conflicts).toEqual(conflicts);
    const values = valuesOfAlignment(alignment);
    expect(values.conflicts).toHaveLength(21);
    expect(values.conflicts[0]).toBe('conflict 0…');
    expect(values.conflicts[20]).toBe('and 80 more');
    expect(JSON.stringify(values).length).toBeLessThan(12_000);
  });
});

test('CP-9 · success · the report has what each phase has delivered, and null if one has delivered nothing', () => {
  const sync: SyncResult[] = [{ id: 's', status: 'ALIGNED', attempts: 1 }];
  const phases = { a: ['one', 'two'], b: ['three'] };
  expect(reportTracks({ status: 'aligned', phases, sync }, { one: { x: 1 }, three: 'text', other: 1 })).toEqual({
    ...{ status: 'aligned', sync },
    a: { one: { x: 1 }, two: null },
    b: { three: 'text' },
  });
});
