import { oneByOne } from '../../workflows/temporal/one-by-one';

test('the next starts when the one before is over, failed or not', async () => {
  const inTurn = oneByOne();
  const order: string[] = [];
  const work = (name: string, fails = false) =>
    inTurn(async () => {
      order.push(`${name} starts`);
      await Promise.resolve();
      order.push(`${name} ends`);
      if (fails) throw new Error(name);
    });
  await Promise.allSettled([work('a'), work('b', true), work('c')]);
  expect(order).toEqual(['a starts', 'a ends', 'b starts', 'b ends', 'c starts', 'c ends']);
});

test('if none is under way it starts at once', async () => {
  const inTurn = oneByOne();
  await inTurn(() => Promise.resolve());
  let started = false;
  void inTurn(async () => {
    started = true;
  });
  expect(started).toBe(true);
});

test('each answers for itself', async () => {
  const inTurn = oneByOne();
  const failing = inTurn(() => Promise.reject(new Error('a')));
  const answering = inTurn(() => Promise.resolve('b'));
  await expect(failing).rejects.toThrow('a');
  await expect(answering).resolves.toBe('b');
});
