import type { ThermidorClient } from '../../client/connect';
import { readCarry, readPlan } from '../../client/read-run';
import type { AnswerPart } from '../../plan/run/answer-part';

const WHOLE = { note: 'x'.repeat(50), list: Array.from({ length: 30 }, (_, i) => i) };
const TEXT = JSON.stringify(WHOLE);

/** A client whose runs answer in parts of ten characters. `stampOf` is the stamp of the n-th part. */
function clientOf(stampOf: (calls: number) => string): { client: ThermidorClient; asked: number[] } {
  const asked: number[] = [];
  const query = async (_: string, { part }: { part: { from: number } }): Promise<AnswerPart> => {
    asked.push(part.from);
    return { part: TEXT.slice(part.from, part.from + 10), total: TEXT.length, stamp: stampOf(asked.length) };
  };
  const temporal = { workflow: { getHandle: () => ({ query }) } };
  return { client: { call: (request: () => unknown) => request(), temporal } as unknown as ThermidorClient, asked };
}

describe('a long answer of a run', () => {
  test('is put together from its parts', async () => {
    const { client, asked } = clientOf(() => '');
    expect(await readPlan(client, 'r')).toEqual(WHOLE);
    expect(asked).toEqual(Array.from({ length: Math.ceil(TEXT.length / 10) }, (_, i) => 10 * i));
  });

  test('is of one moment: it is asked for again from its beginning if the run has gone on', async () => {
    const { client, asked } = clientOf((calls) => (calls < 4 ? 'before' : 'after'));
    expect(await readCarry(client, 'r', { from: 'a' })).toEqual(WHOLE);
    expect(asked.slice(0, 6)).toEqual([0, 10, 20, 30, 0, 10]);
  });

  test('is given up if the run goes on between any two parts', async () => {
    const { client } = clientOf(String);
    await expect(readCarry(client, 'r', { from: 'a' })).rejects.toMatchObject({ code: 'run.unreadable' });
  });
});
