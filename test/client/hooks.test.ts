import { WorkflowExecutionAlreadyStartedError } from '@temporalio/client';
import { hookPathsIn, samePaths } from '../../cli/triggers/hook-paths';
import { BodyRoom } from '../../client/callbacks/body-room';
import { hookPorts } from '../../client/callbacks/run-ports';
import type { ThermidorClient } from '../../client/connect';
import { frozenHookIn } from '../../client/hooks/applied-hook';
import { HookList } from '../../client/hooks/hook-list';
import { APPLIED_MEMO, scheduleOptions } from '../../client/schedule-options';
import { compiledHook } from './compiled-hook';

const HOOK = compiledHook('events', {});
const OWNER = { installation: 'one', taskQueue: 'thermidor' };

describe('the schedule of a web hook', () => {
  const options = scheduleOptions({ pipeline: 'p', trigger: HOOK.trigger, takes: { args: { n: { required: true } } } }, OWNER);

  const memoOf = ({ action }: typeof options) => action.memo?.[APPLIED_MEMO] as { hook: unknown; sha256: string } | undefined;

  it('has no times, and holds what listeners need', () => {
    expect(options.spec).toEqual({});
    expect(frozenHookIn(memoOf(options)?.hook)).toEqual({
      trigger: HOOK.trigger,
      takes: { args: { n: { required: true } } },
    });
  });

  it('differs once the pipeline takes other args', () => {
    const other = scheduleOptions({ pipeline: 'p', trigger: HOOK.trigger, takes: {} }, OWNER);
    expect(memoOf(other)?.sha256).not.toBe(memoOf(options)?.sha256);
  });

  const trigger = HOOK.trigger;
  it.each([
    ['a path that is no text', { ...trigger, path: 1 }],
    ['an unknown signature', { ...trigger, signature: 'none' }],
    ['a secret in plain words', { ...trigger, secret: 'plain' }],
    ['a rate beyond all', { ...trigger, rate: 1e9 }],
    ['a timed signature without a window', { ...trigger, signature: 'standard' }],
    ['args that are no templates', { ...trigger, args: { a: 1 } }],
    ['a key that is no template', { ...trigger, key: 'a' }],
  ])('is not believed with %s: anybody may make a schedule', (_, stored) => {
    expect(frozenHookIn({ trigger: stored, takes: {} })).toBeUndefined();
  });

  it.each([[undefined], [[]], [{ args: 1 }], [{ args: { n: null } }], [{ context: 'all' }]])('is not believed if it takes %j', (takes) => {
    expect(frozenHookIn({ trigger, takes })).toBeUndefined();
  });
});

describe('the list of web hooks', () => {
  it('is asked for once by all who come at a time, and again when it is old', async () => {
    let [asked, now] = [0, 0];
    const list = new HookList(
      async () => {
        asked += 1;
        return [HOOK];
      },
      () => undefined,
      () => now,
    );
    expect(await Promise.all(['events', 'events', 'none'].map((path) => list.find(path)))).toEqual([HOOK, HOOK, undefined]);
    now = 4_000;
    await list.find('none');
    expect(asked).toBe(1);
    now = 6_000;
    await list.find('none');
    expect(asked).toBe(2);
  });

  it('asks again after a failure, and has none of two with the same path', async () => {
    const warnings: string[] = [];
    let fails = true;
    const list = new HookList(
      async () => {
        if (fails) throw new Error('away');
        return [HOOK, { ...HOOK, schedule: 'other' }];
      },
      (message) => void warnings.push(message),
      () => 0,
    );
    await expect(list.find('events')).rejects.toThrow('away');
    fails = false;
    expect(await list.find('events')).toBeUndefined();
    expect(warnings).toEqual([expect.stringContaining('"events"')]);
  });
});

describe('the start of a run for a delivery', () => {
  const order = { run: 'p.events-1', hook: HOOK, args: {} };
  const started = (ended: boolean, running: boolean) => {
    const starts: unknown[] = [];
    const client = {
      ended: { read: async () => (ended ? {} : undefined) },
      namespace: 'default',
      taskQueue: 'thermidor',
      call: (request: () => unknown) => request(),
      temporal: {
        workflow: {
          async start(type: string, options: object) {
            if (running) throw new WorkflowExecutionAlreadyStartedError('there', order.run, type);
            starts.push({ type, ...options });
            return { workflowId: order.run, firstExecutionRunId: '1' };
          },
        },
      },
    } as unknown as ThermidorClient;
    const { startHooked } = hookPorts(
      client,
      async () => OWNER,
      () => undefined,
    );
    return { starts, answer: startHooked(order) };
  };

  it('is made by nobody who is proven', async () => {
    const { starts, answer } = started(false, false);
    expect(await answer).toEqual({ again: false });
    expect(starts).toMatchObject([
      { type: 'p', workflowId: order.run, workflowIdReusePolicy: 'REJECT_DUPLICATE', args: [{ startedBy: 'a web hook' }] },
    ]);
    expect(JSON.stringify(starts)).not.toContain('proof');
  });

  it.each([
    ['the server knows', false, true],
    ['only the store knows', true, false],
  ])('is none for a run that %s', async (_, ended, running) => {
    const { starts, answer } = started(ended, running);
    expect(await answer).toEqual({ again: true });
    expect(starts).toEqual([]);
  });
});

describe('memory for bodies', () => {
  const request = (bytes: number) => new Request('http://localhost/', { method: 'POST', body: 'x'.repeat(bytes) });

  it('is given back when the work is done, or was refused', async () => {
    const room = new BodyRoom(100);
    const held = room.with(request(60), 80, async (body) => {
      await expect(room.with(request(60), 80, async () => 'taken')).rejects.toMatchObject({ status: 503 });
      return body.length;
    });
    expect(await held).toBe(60);
    await expect(room.with(request(90), 80, async () => 'taken')).rejects.toMatchObject({ status: 413 });
    await expect(room.with(request(80), 80, async () => Promise.reject(new Error('failed')))).rejects.toThrow('failed');
    expect(await room.with(request(80), 80, async () => 'taken')).toBe('taken');
  });
});

test('two web hooks with one path are named', () => {
  const [one, other] = ['a', 'b'].map((pipeline) => ({ pipeline, trigger: HOOK.trigger }));
  expect(samePaths(hookPathsIn([one, other].flatMap((wanted) => wanted ?? [])))).toEqual([
    'the web hooks a.events and b.events have the same path "events"',
  ]);
  expect(samePaths(hookPathsIn([one, one].flatMap((wanted) => wanted ?? [])))).toEqual([]);
});
