import { shutDown } from '../../cli/session/shut-down';

/** How a worker with steps in hand leaves; the test simulates time. */
beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

interface Left {
  happened: string[];
  /** The work in hand ends. */
  end: () => void;
  cut: AbortController;
  left: Promise<void>;
}

function leaving(more: { finish?: 'absent' | 'never cut'; runs?: string[] } = {}): Left {
  const happened: string[] = [];
  const cut = new AbortController();
  let end: () => void = () => undefined;
  const worker = {
    shutdown: (handOver?: AbortSignal) =>
      new Promise<void>((resolve) => {
        end = resolve;
        handOver?.addEventListener('abort', () => {
          happened.push('handed over');
          resolve();
        });
      }),
  };
  const waitsFor = (runs: readonly string[]): void => void happened.push(`waits for ${runs.join()}`);
  const finish = more.finish === 'absent' ? undefined : { waitsFor, ...(more.finish === 'never cut' ? {} : { cut: cut.signal }) };
  const around = { runs: async () => more.runs ?? ['other'], makePlace: async () => void happened.push('made place') };
  const left = shutDown(worker, finish, around).then(() => void happened.push('left'));
  return { happened, end: () => end(), cut, left };
}

const aMoment = (): Promise<void> => jest.advanceTimersByTimeAsync(10_000);

test('what ends within a moment is not spoken of', async () => {
  const { happened, end, left } = leaving();
  end();
  await left;
  expect(happened).toEqual(['left']);
});

test('work of others is waited for to its end, once there is place for another worker', async () => {
  const { happened, end, left } = leaving();
  await aMoment();
  await aMoment();
  expect(happened).toEqual(['made place', 'waits for other']);
  end();
  await left;
  expect(happened.slice(2)).toEqual(['left']);
});

test('Ctrl-C ends the waiting: work in progress is handed over', async () => {
  const { happened, cut, left } = leaving();
  await aMoment();
  cut.abort();
  await left;
  expect(happened).toEqual(['made place', 'waits for other', 'handed over', 'left']);
});

test('who was left by Ctrl-C hands over after a moment', async () => {
  const { happened, cut, left } = leaving();
  cut.abort();
  await aMoment();
  await left;
  expect(happened).toEqual(['handed over', 'left']);
});

test.each([{ finish: 'absent' as const }, { runs: [] }])('so does who must not wait, or has nothing to wait for: %j', async (more) => {
  const { happened, left } = leaving(more);
  await aMoment();
  await left;
  expect(happened).toEqual(['handed over', 'left']);
});

test('if nothing cuts it short, it waits', async () => {
  const { happened, end, left } = leaving({ finish: 'never cut' });
  await aMoment();
  expect(happened).toEqual(['made place', 'waits for other']);
  end();
  await left;
  expect(happened.slice(2)).toEqual(['left']);
});
