import { InFlight } from '../../activities/in-flight';
import type { Handovers } from '../../records/handovers';

/** Work that continues until its signal says otherwise. */
function until(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener('abort', () => reject(signal.reason));
  });
}

const NEVER = new AbortController().signal;
const LOST = expect.objectContaining({ code: 'worker.lost' });

test('knows the runs whose steps are in progress, each once, until they end', async () => {
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

test('what the run cancels says so itself, though it is handed over afterwards', async () => {
  const hand = new InFlight();
  const caller = new AbortController();
  const work = hand.during('a', caller.signal, until);
  caller.abort(new Error('cancelled'));
  hand.drain();
  await expect(work).rejects.toThrow('cancelled');
  await expect(hand.during('a', caller.signal, until)).rejects.toThrow('cancelled');
});

describe('work that does not end when it is cancelled', () => {
  function handOf(places: number) {
    const rings: (() => void)[] = [];
    const log = jest.fn();
    const timer = (_ms: number, ring: () => void) => {
      rings.push(ring);
      return () => void rings.splice(rings.indexOf(ring), 1);
    };
    return { hand: new InFlight({ log, places, timer }), log, rings };
  }

  test('is named in the log, by run, step and activity, and the log says when it fills the worker', async () => {
    const { hand, log, rings } = handOf(2);
    const call = new AbortController();
    for (const step of ['make#1~1', 'list#1~1'])
      void hand.during('a', call.signal, () => new Promise(() => undefined), `${step} (command)`);
    void hand.during('b', NEVER, () => new Promise(() => undefined), 'other#1~1 (command)');
    call.abort(new Error('cancelled'));
    expect(hand.unended()).toEqual(['make#1~1 (command) of a', 'list#1~1 (command) of a']);
    rings[0]?.();
    expect(log.mock.calls).toEqual([['warn', expect.any(String), { activity: 'make#1~1 (command)', workflowId: 'a' }]]);
    rings[1]?.();
    expect(log).toHaveBeenLastCalledWith('error', expect.stringContaining('may begin nothing more'), { late: 2, places: 2 });
  });

  test('is nothing that ends soon', async () => {
    const { hand, rings } = handOf(1);
    const work = hand.during('a', NEVER, until);
    hand.drain();
    await expect(work).rejects.toEqual(LOST);
    expect(rings).toEqual([]);
    expect(hand.unended()).toEqual([]);
  });
});

describe('work that is handed over', () => {
  /** What a worker tells others, in order. */
  function noting(given: Partial<Handovers> = {}): { said: string[]; handovers: Handovers } {
    const said: string[] = [];
    const handovers: Handovers = {
      stopping: async () => void said.push('stopping'),
      handOver: async (works) => void said.push(...works),
      isForYounger: async () => false,
      ...given,
    };
    return { said, handovers };
  }

  test('is known to others before it is offered to them', async () => {
    const { said, handovers } = noting();
    const hand = new InFlight({ handovers });
    const works = ['slow', 'quick'].map((name) => hand.during('a', NEVER, until, name).catch(() => said.push(`${name} failed`)));
    hand.stopping();
    hand.drain();
    hand.drain();
    await Promise.all(works);
    expect(said).toEqual(['stopping', 'slow of a', 'quick of a', 'slow failed', 'quick failed']);
  });

  test('is offered again soon, however often it was begun', async () => {
    const hand = new InFlight();
    const work = hand.during('a', NEVER, until);
    hand.drain();
    await expect(work).rejects.toMatchObject({ code: 'worker.lost', retryAfterMs: 1000 });
  });

  test('is left to younger workers, and to nobody if the store does not say so', async () => {
    const asked = jest.fn(async (work: string) => work === 'slow of a');
    const hand = new InFlight({ handovers: noting({ isForYounger: asked }).handovers });
    await expect(hand.leaveToYounger('a', 'slow')).rejects.toEqual(LOST);
    await hand.leaveToYounger('a', 'quick');
    const log = jest.fn();
    const mute = new InFlight({ log, handovers: noting({ isForYounger: async () => Promise.reject(new Error('full')) }).handovers });
    await mute.leaveToYounger('a', 'slow');
    expect(log).toHaveBeenCalledWith('warn', 'the handovers between workers are not known', { problem: 'Error: full' });
    await new InFlight().leaveToYounger('a', 'slow');
  });

  test('fails all the same if nobody can be told', async () => {
    const hand = new InFlight({ handovers: noting({ handOver: async () => Promise.reject(new Error('full')) }).handovers });
    const work = hand.during('a', NEVER, until);
    hand.drain();
    await expect(work).rejects.toEqual(LOST);
  });
});
