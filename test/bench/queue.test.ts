import { COUNT, plannedCandidates } from '../../bench/queue/candidates';
import { playQueue } from '../../bench/queue/play';
import { queueFigures } from '../../bench/queue/queue';
import { scratchFolder } from '../support/scratch-folder';

it('plans 200 candidates of 20 askers: ten of a hundred conflict, five and two are red', () => {
  const planned = plannedCandidates();
  const of = (fate: string) => planned.filter((one) => one.fate === fate).length;
  expect([planned.length, new Set(planned.map(({ asker }) => asker)).size]).toEqual([COUNT, 20]);
  expect([of('conflict'), of('red'), of('merged')]).toEqual([20, 14, 166]);
});

it('plans what conflicts with, and what breaks something, after what it does so with', () => {
  const planned = plannedCandidates();
  for (const [i, { fate, file }] of planned.entries()) {
    const before = planned.slice(0, i).filter((one) => one.fate === 'merged');
    const partner = fate === 'conflict' ? file : file.replace(/-b\.txt$/, '-a.txt');
    const needsOne = fate === 'conflict' || file.endsWith('-b.txt');
    expect([file, before.some((one) => one.file === partner)]).toEqual([file, needsOne]);
  }
});

it('plays some of them on real git: each has its own end, and the branch is green at each advance', async () => {
  // Among them are a conflict, a red candidate, and for each one a candidate that lands after it.
  const played = await playQueue(scratchFolder(), 9, 4, new AbortController().signal);
  expect(played.landed).toBe(7);
  expect(played.advances).toBeLessThan(7);
  // The candidates of a batch share work, which is done once.
  expect(played.gitProcesses / 9).toBeLessThan(55);
});

it('compares batches with one by one', () => {
  const played = { landed: 166, advances: 50, gitProcesses: 4000 };
  expect(queueFigures([{ ...played, wallMs: 50_000 }], [{ ...played, wallMs: 100_000 }])[0]).toMatchObject({
    metric: 'wall',
    ratio: 0.5,
    aim: 0.62,
  });
});
