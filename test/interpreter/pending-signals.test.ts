import { jsonText, parseJson } from '../../plan/text/json-text';
import { checkInBackground } from '../../workflows/interpreter/inbound/pending-signals';
import { keepSignal } from '../../workflows/interpreter/inbound/signals';
import type { Interpreter } from '../../workflows/interpreter/interpreter';
import type { Run } from '../../workflows/interpreter/run';
import type { PendingSignal } from '../../workflows/interpreter/state/state';

const WRITTEN = '{"price":1.10,"id":1234567890123456789}';

test('what waits to be checked keeps numbers as they were written', () => {
  const state: { pendingSignals?: PendingSignal[] } = {};
  const run = { state, ending: true } as unknown as Run;
  checkInBackground(run, {
    name: 'respond',
    payload: parseJson(WRITTEN),
    sealedFor: undefined,
    check: async () => undefined,
    done: () => undefined,
  });
  expect(jsonText(state.pendingSignals?.[0]?.payload)).toBe(WRITTEN);
});

test('so does a signal that a step waits for', () => {
  const signals: Record<string, unknown[]> = {};
  const run = { state: { signals, records: {} }, journal: { add: () => undefined }, index: { live: () => [] } };
  keepSignal({ run } as unknown as Interpreter, 'price', parseJson(WRITTEN));
  expect(jsonText(signals['price'])).toBe(`[${WRITTEN}]`);
});
