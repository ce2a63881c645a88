import { JournalSpans } from '../../../activities/traces/journal-spans';
import { spanIdOf, stepSpanId, traceIdOf } from '../../../activities/traces/span-ids';
import type { JournalEntry, JournalEvent } from '../../../plan/run/journal';

const KEY = { workflowId: 'demo-1', run: 'first' };
const at = (second: number): string => new Date(Date.UTC(2026, 0, 5, 7, 30, second)).toISOString();
const ms = (second: number): number => Date.parse(at(second));

/** Entries, one a second. */
function entries(...events: JournalEvent[]): JournalEntry[] {
  return events.map((event, i) => ({ seq: i + 1, at: at(i), ...event }));
}
const step = (name: string, state: 'running' | 'done' | 'failed' | 'waiting' | 'superseded', more: object = {}): JournalEvent => ({
  kind: 'step',
  step: name,
  state,
  ...more,
});
const spans = () => new JournalSpans(KEY, (id) => (id === 'loop' ? 'repeat' : 'agent'));

describe('the spans of a journal', () => {
  it('are its steps, within each other, from beginning to end', () => {
    const page = entries(step('loop', 'running'), step('loop[1]/ask', 'running'), step('loop[1]/ask', 'done'), step('loop', 'done'));
    const [ask, loop] = spans()
      .page(page)
      .map(({ span }) => span);
    const trace = { traceId: traceIdOf(KEY) };
    expect(ask).toMatchObject({ ...trace, name: 'ask', parentId: loop?.spanId, startMs: ms(1), endMs: ms(2) });
    expect(ask?.attributes).toEqual({ 'thermidor.step': 'loop[1]/ask', 'thermidor.kind': 'agent', 'thermidor.state': 'done' });
    expect(loop).toMatchObject({ ...trace, name: 'loop', parentId: spanIdOf(KEY), startMs: ms(0), endMs: ms(3) });
  });

  it('have the same ids if a page is read twice, and the id that the conversation of a try has for its step', () => {
    const page = entries(step('ask#2', 'running'), step('ask#2', 'done'));
    const [first, second] = [spans().page(page), spans().page(page)];
    expect(first).toEqual(second);
    expect(first[0]?.span.spanId).toBe(stepSpanId(KEY, 'ask#2~3'));
    expect(first[0]?.span.spanId).not.toBe(stepSpanId(KEY, 'ask#1~1'));
    expect(first[0]?.span.spanId).not.toBe(stepSpanId({ ...KEY, run: 'other' }, 'ask#2~3'));
  });

  it('say which began in an earlier page, and which have not ended', () => {
    const read = spans();
    expect(read.page(entries(step('a', 'running'), step('b', 'running')))).toEqual([]);
    expect(read.page(entries(step('a', 'done'), step('c', 'running'), step('c', 'done')))).toMatchObject([
      { span: { name: 'a' }, within: false },
      { span: { name: 'c' }, within: true },
    ]);
    expect(read.left(ms(9))).toMatchObject([{ name: 'b', startMs: ms(1), endMs: ms(9) }]);
  });

  it('have one gate after the other, and what became of a step, without its words', () => {
    const page = entries(
      step('ask', 'running'),
      { kind: 'gate', step: 'ask', event: 'opened', question: 'hunter2?' },
      { kind: 'gate', step: 'ask', event: 'closed', reason: 'hunter2' },
      { kind: 'gate', step: 'ask', event: 'opened' },
      { kind: 'gate', step: 'ask', event: 'closed' },
      step('ask', 'failed', { reason: 'hunter2', error: { code: 'gate.timeout', message: 'hunter2' } }),
    );
    const told = spans()
      .page(page)
      .map(({ span }) => span);
    expect(told.map(({ name, failed }) => [name, failed])).toEqual([
      ['gate', undefined],
      ['gate', undefined],
      ['ask', 'gate.timeout'],
    ]);
    expect(new Set(told.map(({ spanId }) => spanId)).size).toBe(3);
    expect(told.slice(0, 2).every(({ parentId }) => parentId === told[2]?.spanId)).toBe(true);
    expect(JSON.stringify(told)).not.toContain('hunter2');
  });

  it('never end before they begin, whatever the clocks said', () => {
    const page = entries(step('a', 'running'), step('a', 'done')).map((entry, i) => ({ ...entry, at: at(9 - i) }));
    expect(spans().page(page)).toMatchObject([{ span: { startMs: ms(9), endMs: ms(9) } }]);
  });
});
