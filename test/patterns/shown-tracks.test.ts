import type { SyncView, TracksView } from '../../kinds/tracks/view';
import { rowsOfTracks } from '../../kinds/tracks/view';
import { dice } from '../support/simulation/dice';

/** A naive drawing of the phases: from the top those before a point, then the point. */
function drawnByHand({ a, b, sync }: TracksView): string[] {
  const rows: string[] = [];
  let left = [a.phases.map(({ id }) => id), b.phases.map(({ id }) => id)] as [string[], string[]];
  for (const [ends, point] of [
    ...sync.map((one) => [[one.after.a, one.after.b], one.id] as const),
    [[undefined, undefined], undefined] as const,
  ]) {
    const cut = left.map((ids, i) => (ends[i] === undefined ? ids.length : ids.indexOf(ends[i] ?? '') + 1));
    const [one = [], other = []] = left.map((ids, i) => ids.slice(0, cut[i]));
    for (let i = 0; i < Math.max(one.length, other.length); i++) rows.push(`${one[i] ?? '-'} ${other[i] ?? '-'}`);
    left = left.map((ids, i) => ids.slice(cut[i])) as [string[], string[]];
    if (point !== undefined) rows.push(point);
  }
  return rows;
}

test('CP-9 · workflow · two tracks are drawn next to each other, whatever their lengths and points', () => {
  for (let seed = 0; seed < 500; seed++) {
    const chance = dice('tracks', seed, 'rows');
    const phases = (side: string) =>
      Array.from({ length: chance.whole(1, 6) }, (_, i) => ({ id: `${side}${i}`, state: 'pending' as const }));
    const view: TracksView = { a: { agent: 'x', phases: phases('a') }, b: { agent: 'y', phases: phases('b') }, sync: [] };
    let [i, j] = [-1, -1];
    for (;;) {
      i += chance.whole(1, 2);
      j += chance.whole(1, 2);
      const [a, b] = [view.a.phases[i]?.id, view.b.phases[j]?.id];
      if (a === undefined || b === undefined) break;
      const point: SyncView = { id: `s${view.sync.length}`, after: { a, b }, state: 'open', attempts: 0, rounds: 2, by: 'z', arrived: [] };
      view.sync.push(point);
    }
    const rows = rowsOfTracks(view).map((row) => (row.kind === 'sync' ? row.point.id : `${row.a?.id ?? '-'} ${row.b?.id ?? '-'}`));
    expect(rows).toEqual(drawnByHand(view));
  }
});
