import { QUEUE_VERSION } from '../../plan/queue/ticket';
import { ASK_AGAIN } from '../../plan/run/contract';
import { ThermidorFailure } from '../../plan/run/failure';
import { mergeQueue } from '../../workflows/queue/queue';
import { type QueueContext, type QueueInbound, type QueueInput, QueueRefusal } from '../../workflows/queue/queue-context';
import { emptyQueue, MOST_TICKETS, type QueueState } from '../../workflows/queue/queue-state';

const asked = (name: string) => ({ workflowId: 'w', run: 'r', name });
const ticket = (number: number) => ({ number, asked: asked(`t${number}`) });
const REF = { kind: 'snapshot', sha256: 'a'.repeat(64), sizeBytes: 1, mediaType: 'application/json' } as const;
const settled = () => new Promise((resolve) => setImmediate(resolve));

/** A queue that gets its state when the test gives it. Its activities do not end. */
function execution(input: QueueInput) {
  const given: { load?: (state: QueueState) => void; save?: () => void } = {};
  const saved: string[] = [];
  let inbound: QueueInbound | undefined;
  let isFull = false;
  const looks: (() => void)[] = [];
  const look = async () => {
    for (const one of looks.splice(0)) one();
    await settled();
  };
  const context: QueueContext = {
    ...{ run: 'q1', now: () => 0, sleep: () => new Promise(() => undefined), historyIsFull: () => isFull },
    activity: () => ({ promise: new Promise(() => undefined), cancel: () => undefined }),
    listen: (one) => {
      inbound = one;
    },
    async until(isSo) {
      while (!isSo()) await new Promise<void>((again) => looks.push(again));
    },
    handlersFinished: () => Promise.resolve(),
    loadState: () => new Promise((resolve) => (given.load = resolve)),
    saveState: (state) => {
      saved.push(JSON.stringify(state));
      return new Promise((resolve) => (given.save = () => resolve(REF)));
    },
    continueAsNew: (next) => Promise.reject(next),
  };
  const end: Promise<unknown> = mergeQueue(context, input).catch((next: unknown) => next);
  if (!inbound) throw new Error('it does not listen from the start');
  return {
    ...{ given, saved, end, look, inbound },
    fill: async () => {
      isFull = true;
      await look();
    },
  };
}

test('what comes in before the state is there waits for it, and is refused then where it would have been', async () => {
  const { given, inbound } = execution({ state: REF });
  expect(() => inbound.view()).toThrow(ASK_AGAIN);
  inbound.checkSubmit(asked('new'));
  const answers = [inbound.submit(asked('t7')), inbound.submit(asked('new')), inbound.order('drop', { ticket: 99 })].map((answer) =>
    Promise.resolve(answer).catch((error: unknown) => error),
  );
  given.load?.({ ...emptyQueue(), tickets: [ticket(7)], ticketsTaken: 7 });
  expect(await Promise.all(answers)).toEqual([{ number: 7 }, { number: 8 }, expect.any(QueueRefusal)]);
  expect(inbound.view().waiting.map((one) => one.ticket)).toEqual([7, 8]);
  expect(() => inbound.checkOrder('drop', { ticket: 99 })).toThrow(QueueRefusal);
});

test('a queue that is full says so to those who waited', async () => {
  const { given, inbound } = execution({ state: REF });
  const answer = inbound.submit(asked('new'));
  given.load?.({ ...emptyQueue(), tickets: Array.from({ length: MOST_TICKETS }, (_, i) => ticket(i)), ticketsTaken: MOST_TICKETS });
  await expect(answer).rejects.toBeInstanceOf(QueueRefusal);
});

test('a state goes to the store, and once more if it changed meanwhile; only its reference is handed on', async () => {
  const { given, inbound, end, saved, fill, look } = execution({});
  await fill();
  expect(saved).toHaveLength(1);
  void inbound.submit(asked('late'));
  given.save?.();
  await look();
  expect(saved).toHaveLength(2);
  expect(saved[1]).toContain('late');
  given.save?.();
  expect(await end).toEqual({ state: REF, version: QUEUE_VERSION });
});

describe('a queue that a later version has worked on', () => {
  const later = QUEUE_VERSION + 1;
  const asState = (version: number) => ({ ...emptyQueue(), version });

  test.each([
    ['by what its execution was started with', { version: later }, undefined],
    ['with a state, too', { state: REF, version: later }, undefined],
    ['by its state, whatever the input says', { state: REF, version: QUEUE_VERSION }, later],
    ['by its state, where the input says nothing', { state: REF }, later],
  ])('is left to workers of that version: %s', async (_, input, version) => {
    const { given, inbound, end } = execution(input);
    const answer = inbound.submit(asked('new'));
    if (version !== undefined) given.load?.(asState(version));
    const error = await end;
    // An error that is not one of our failures fails the workflow task and not the queue.
    expect(error).toMatchObject({
      name: 'WorkerTooOld',
      message: expect.stringContaining(`the queue needs a worker whose merge queues have version ${later}`),
    });
    expect(error).not.toBeInstanceOf(ThermidorFailure);
    expect(() => inbound.view()).toThrow('needs a worker');
    await expect(Promise.race([answer, settled()])).resolves.toBeUndefined();
  });

  test.each([0, QUEUE_VERSION])('is taken up if it has our version or an earlier one: %s', async (version) => {
    const { given, inbound } = execution({ state: REF, version });
    given.load?.(asState(version));
    await settled();
    expect(inbound.view().waiting).toEqual([]);
  });

  test('says by what it goes as it hands on', async () => {
    const { given, end, fill } = execution({});
    await fill();
    given.save?.();
    expect(await end).toEqual({ state: REF, version: QUEUE_VERSION });
  });
});

test('a state that cannot be ends the execution with the bug, and is not tried again', async () => {
  const { given, end, look } = execution({ state: REF });
  const candidate = { candidate: 'c', title: 'T', author: 'a', priority: 3 } as const;
  given.load?.({ ...emptyQueue(), tickets: [{ ...ticket(1), candidate }], ticketsTaken: 1 });
  await settled();
  await look();
  expect(await end).toMatchObject({ code: 'internal', message: 'a queue with work knows its target' });
});
