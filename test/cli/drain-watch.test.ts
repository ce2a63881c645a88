import { watchDrain } from '../../cli/serving/drain-watch';
import { memoryRecords } from '../../records/memory/memory-records';
import { until } from '../support/until';

const EVERY_MS = 5;

test('it settles with each turn, for its own host alone', async () => {
  const { drained } = memoryRecords();
  const watch = watchDrain(drained, 'a', () => undefined, EVERY_MS);
  await watch.until(false);
  const ends = watch.until(true);
  let hasEnded = false;
  void ends.then(() => {
    hasEnded = true;
  });
  await drained.drain('b', 'ann');
  let asked = 0;
  const list = (): ReturnType<typeof drained.list> => {
    asked += 1;
    return drained.list();
  };
  const counting = watchDrain({ list }, 'b', () => undefined, EVERY_MS);
  await counting.until(true);
  await until(() => asked > 2);
  expect(hasEnded).toBe(false);
  await drained.drain('a', 'ann');
  await ends;
  await drained.undrain('a');
  await watch.until(false);
  watch.close();
  counting.close();
});

test('while the store does not answer, what it said last holds, and one line says so', async () => {
  const lines: string[] = [];
  const { drained } = memoryRecords();
  await drained.drain('a', 'ann');
  let isAway = false;
  let asked = 0;
  const list = async () => {
    asked++;
    if (isAway) throw new Error('away');
    return await drained.list();
  };
  const watch = watchDrain({ list }, 'a', (_, message) => lines.push(message), EVERY_MS);
  await watch.until(true);
  isAway = true;
  await drained.undrain('a');
  const [free, before] = [watch.until(false), asked];
  await until(() => asked > before + 3);
  await watch.until(true);
  expect(lines).toEqual(['the store does not say whether this host is drained']);
  isAway = false;
  await free;
  watch.close();
});
