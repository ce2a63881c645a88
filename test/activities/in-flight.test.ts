import { InFlight } from '../../activities/in-flight';

/** Work that continues until its signal says otherwise. */
function until(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener('abort', () => reject(signal.reason));
  });
}

const NEVER = new AbortController().signal;
const LOST = expect.objectContaining({ code: 'worker.lost' });

test('knows the runs of which steps are in hand, each once, until they end', async () => {
  const hand = new InFlight();
  let end: () => void = () => undefined;
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  const works = ['b', 'a', 'b'].map((run) => hand.during(run, NEVER, () => ended));
  expect(hand.runs()).toEqual(['a', 'b']);
  end();
  await Promise.all(works);
  expect(hand.runs()).toEqual([]);
});

test('a drain cancels work in flight, which fails so that another worker takes over', async () => {
  const hand = new InFlight();
  const work = hand.during('a', NEVER, async (signal) => {
    await until(signal).catch(() => undefined);
    throw new Error('the program was killed');
  });
  hand.drain();
  await expect(work).rejects.toEqual(LOST);
});

test('work that arrives after the drain is cancelled at once', async () => {
  const hand = new InFlight();
  hand.drain();
  await expect(hand.during('a', NEVER, until)).rejects.toEqual(LOST);
});

test('what ends all the same has ended', async () => {
  const hand = new InFlight();
  const work = hand.during('a', NEVER, async (signal) => {
    await until(signal).catch(() => undefined);
    return 'done';
  });
  hand.drain();
  expect(await work).toBe('done');
});

test('what the run cancels says so itself, though it is laid down afterwards', async () => {
  const hand = new InFlight();
  const caller = new AbortController();
  const work = hand.during('a', caller.signal, until);
  caller.abort(new Error('cancelled'));
  hand.drain();
  await expect(work).rejects.toThrow('cancelled');
  await expect(hand.during('a', caller.signal, until)).rejects.toThrow('cancelled');
});
