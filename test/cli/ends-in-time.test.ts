import { endsInTime } from '../../cli/session/ends-in-time';

const settings = (value: number | undefined) => ({ shutdownGraceMs: { value, source: 'default' } });

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

test('work that does not end is cut off within the grace time and ten seconds after the signal, and not before it', async () => {
  const interrupt = new AbortController();
  let failure: unknown;
  const ended = endsInTime({ interrupted: interrupt.signal }, settings(30_000), () => new Promise<never>(() => undefined)).catch(
    (error) => {
      failure = error;
    },
  );
  await jest.advanceTimersByTimeAsync(100_000);
  interrupt.abort();
  await jest.advanceTimersByTimeAsync(37_000);
  expect(failure).toBeUndefined();
  await jest.advanceTimersByTimeAsync(3_000);
  await ended;
  expect(failure).toMatchObject({ exit: 1, code: 'worker.stuck' });
});

test('work that ends leaves no timer', async () => {
  const interrupt = new AbortController();
  interrupt.abort();
  expect(await endsInTime({ interrupted: interrupt.signal }, settings(undefined), async () => 7)).toBe(7);
  expect(jest.getTimerCount()).toBe(0);
});
