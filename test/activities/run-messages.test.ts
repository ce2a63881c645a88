import { messagesBeforeStart, readMessages, sendMessages } from '../../activities/run/run-messages';
import type { RunMessage } from '../../plan/run/run-messages';
import type { Json } from '../../plan/text/json';
import { type Workshop, workshop } from './workshop';

const PARENT = { workflowId: 'release', run: 'first' };
const CHILD = { workflowId: 'release.deploy', run: 'child-first' };

const line = (n: number, says: Json, more: Partial<RunMessage> = {}): RunMessage => ({
  by: 'execution-1',
  n,
  for: PARENT.run,
  says,
  ...more,
});
const tell = (shop: Workshop, ...said: RunMessage[]) => sendMessages(shop.toolbox, CHILD, { run: CHILD.run, to: PARENT.workflowId, said });
const listen = (shop: Workshop, after = 0, key = PARENT) => readMessages(shop.toolbox, key, { run: key.run, from: CHILD, after });

describe('what a run says to another', () => {
  test('is read once, in order, from where it was left', async () => {
    const shop = workshop();
    expect(await listen(shop)).toEqual({ says: [], next: 0 });
    await tell(shop, line(1, 'a'), line(2, 'b'));
    expect(await listen(shop)).toEqual({ says: ['a', 'b'], next: 2 });
    await tell(shop, line(3, 'c'));
    expect(await listen(shop, 2)).toEqual({ says: ['c'], next: 3 });
    expect(await listen(shop, 3)).toEqual({ says: [], next: 3 });
  });

  test('counts once if its worker died and it was said again, even if it was heard in between', async () => {
    const shop = workshop();
    await tell(shop, line(1, 'a'), line(2, 'b'));
    await tell(shop, line(1, 'a'), line(2, 'b'), line(3, 'c'));
    expect((await listen(shop)).says).toEqual(['a', 'b', 'c']);
    expect((await listen(shop, 2)).says).toEqual(['c']);
  });

  test('counts as it was said last, if a workflow task was done again otherwise', async () => {
    const shop = workshop();
    await tell(shop, line(1, 'it goes on'));
    await tell(shop, line(1, 'it was cancelled'));
    expect((await listen(shop)).says).toEqual(['it goes on', 'it was cancelled']);
  });

  test('does not count if a worker that was stopped writes after the one that took over', async () => {
    const shop = workshop();
    await tell(shop, line(1, 'a'), line(2, 'b'), line(1, 'a'), line(1, 'stale'));
    expect((await listen(shop)).says).toEqual(['a', 'b']);
  });

  test('may be the same again, of another execution too', async () => {
    const shop = workshop();
    await tell(shop, line(1, 'a'), line(2, 'a'), line(1, 'a', { by: 'execution-2' }));
    expect((await listen(shop)).says).toEqual(['a', 'a', 'a']);
  });

  test('is for one run: another under the same workflow id does not hear it', async () => {
    const shop = workshop();
    await tell(shop, line(1, 'a'));
    expect(await listen(shop, 0, { ...PARENT, run: 'second' })).toEqual({ says: [], next: 1 });
    expect(await listen(shop, 0, { ...PARENT, workflowId: 'other' })).toEqual({ says: [], next: 0 });
  });

  test('before the other has started is what was said last', async () => {
    const shop = workshop();
    expect(await messagesBeforeStart(shop.ledger, CHILD, PARENT.workflowId)).toBeUndefined();
    const { for: _for, ...first } = line(0, 'a');
    await tell(shop, first, { ...first, says: 'b' }, line(1, 'c'));
    expect(await messagesBeforeStart(shop.ledger, CHILD, PARENT.workflowId)).toBe('b');
    expect((await listen(shop)).says).toEqual(['c']);
  });

  test('comes in pages that fit into a payload', async () => {
    const shop = workshop();
    const large = 'x'.repeat(300_000);
    await tell(shop, line(1, large), line(2, large), line(3, 'end'));
    const first = await listen(shop);
    expect(first).toMatchObject({ says: [large], next: 1, more: true });
    expect(await listen(shop, first.next)).toEqual({ says: [large, 'end'], next: 3 });
  });

  test('is read past what is not a line', async () => {
    const shop = workshop();
    await shop.ledger.append(CHILD, `to/${PARENT.workflowId}`, { says: 'x' });
    await shop.ledger.append(CHILD, `to/${PARENT.workflowId}`, null);
    await tell(shop, line(1, 'a'));
    expect(await listen(shop)).toEqual({ says: ['a'], next: 3 });
  });
});
