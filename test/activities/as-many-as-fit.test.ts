import { asManyAsFit } from '../../activities/as-many-as-fit';
import { ThermidorFailure } from '../../plan/run/failure';

const said = (message: string): string => `! ${message}`;
const echo = async (one: string): Promise<string> => one;

test('works on all, in order', async () => {
  expect(await asManyAsFit(['a', 'b', 'c'], echo, said)).toEqual(['a', 'b', 'c']);
});

test('leaves to another activity what it has no time for, and does one at least', async () => {
  let now = 0;
  const slow = async (one: string): Promise<string> => {
    now += 15_000;
    return one;
  };
  expect(await asManyAsFit(['a', 'b', 'c', 'd'], slow, said, () => now)).toEqual(['a', 'b']);
});

test('leaves to another activity what its answer has no room for', async () => {
  const long = 'x'.repeat(150_000);
  expect(await asManyAsFit([long, long, long, long], echo, said)).toHaveLength(2);
});

const failing = (bad: string, code: 'artifact.missing' | 'store.unavailable') => async (one: string) => {
  if (one === bad) throw new ThermidorFailure(code, 'gone');
  return one;
};

test('one that fails for itself harms no other', async () => {
  expect(await asManyAsFit(['a', 'b', 'c'], failing('b', 'artifact.missing'), said)).toEqual(['a', '! gone', 'c']);
});

test('what is tried again is tried with those that are left', async () => {
  expect(await asManyAsFit(['a', 'b', 'c'], failing('b', 'store.unavailable'), said)).toEqual(['a']);
  await expect(asManyAsFit(['a', 'b'], failing('a', 'store.unavailable'), said)).rejects.toMatchObject({ code: 'store.unavailable' });
});
