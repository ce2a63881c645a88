import { GroupProcessRunner } from '../../activities/adapters/processes/process-runner';
import { command } from '../../activities/commands/command';
import type { Timer } from '../../activities/deadline';
import { NO_SECRETS } from '../../activities/run/run-secrets';
import { emitFromOutside } from '../../activities/streams/emit-from-outside';
import { emitItem } from '../../activities/streams/emit-item';
import { emitLines } from '../../activities/streams/emit-lines';
import { emitted } from '../../activities/streams/emitted';
import { readItemLog, takenLog } from '../../activities/streams/item-log';
import { isFull } from '../../activities/streams/room';
import type { Toolbox } from '../../activities/toolbox';
import type { ArtifactRef } from '../../plan/run/artifact';
import { ThermidorFailure } from '../../plan/run/failure';
import type { CommandStep } from '../../plan/steps/step';
import type { EmitSpec } from '../../plan/steps/stream';
import { field, type Json } from '../../plan/text/json';
import { LedgerFiles } from '../../records/directory/ledger-files';
import type { Ledger } from '../../records/ledger';
import { codeOf, failureOf, KEY, type Workshop, workshop } from './workshop';

const STREAM = 'make#1/items';
const ADDRESS = 'make#1~1';

async function stream(more: Partial<EmitSpec> = {}) {
  const at = workshop({ processes: new GroupProcessRunner() });
  const schema = await at.blob({ type: 'object', required: ['id'] });
  const spec: EmitSpec = { name: 'Item.json', schema, maxItems: 3, maxWaiting: 2, key: ['id'], ...more };
  const open = { key: KEY, name: STREAM, step: 'make', spec };
  const emit = (value: Json, id = JSON.stringify(value), call = ADDRESS) => emitItem(at.toolbox, open, value, { id, from: { call } });
  const look = (more = {}) =>
    emitted(at.toolbox, at.call('emitted'), { run: KEY.run, stream: STREAM, after: 0, lines: 0, taken: 0, ...more });
  return { at, spec, open, emit, look };
}

const keysOf = async ({ at }: { at: Workshop }) => (await readItemLog(at.toolbox, KEY, STREAM)).items.map(({ key }) => key);

describe('an item', () => {
  test('is recorded before anybody gets it, once, and in order', async () => {
    const made = await stream();
    expect(await made.emit({ id: 'a', n: 1 })).toEqual({ kind: 'recorded' });
    expect(await made.emit({ id: 'b' })).toEqual({ kind: 'recorded' });
    const { items, lines } = await made.look({ paths: [['n']] });
    expect(items).toMatchObject([{ key: 'a', values: { n: 1 } }, { key: 'b' }]);
    expect(await made.look({ after: 2, lines })).toEqual({ items: [], again: [], lines, taken: 0 });
  });

  test('that is said again after a crash, or by another try, is the same item', async () => {
    const made = await stream();
    await made.emit({ id: 'a' }, 'line-1');
    await made.emit({ id: 'a' }, 'line-1');
    await made.emit({ id: 'a' }, 'line-7', 'make#1~2');
    expect(await made.look()).toMatchObject({ items: [{ key: 'a' }], again: [] });
  });

  test('that comes twice in one try is refused by name', async () => {
    const made = await stream();
    await made.emit({ id: 'a' }, 'line-1');
    expect(await made.emit({ id: 'a', n: 2 }, 'line-2')).toEqual({ kind: 'again' });
    expect(await made.look()).toMatchObject({ items: [{ key: 'a' }], again: [{ key: 'a' }], lines: 2 });
  });

  test('that is said again and again fills no log', async () => {
    const made = await stream();
    for (let line = 1; line <= 5; line++) await made.emit({ id: 'a' }, `line-${line}`);
    for (let line = 1; line <= 5; line++) await made.emit({ id: 'a' }, `line-${line}`, 'make#1~2');
    expect(await made.look()).toMatchObject({ items: [{ key: 'a' }], again: [{ key: 'a' }], lines: 2 });
  });

  test('of two workers at once, of which one was taken for lost, is one, and nothing of either is lost', async () => {
    const made = await stream({ maxItems: 100 });
    const other = { ...made.at.toolbox, ledger: new LedgerFiles(made.at.root) };
    const emits = (toolbox: typeof made.at.toolbox) => async () => {
      for (let i = 0; i < 20; i++) await emitItem(toolbox, made.open, { id: `i${i}` }, { id: `line-${i}`, from: { call: ADDRESS } });
    };
    await Promise.all([emits(other)(), emits(made.at.toolbox)()]);
    const { items, again } = await made.look();
    expect([items.map(({ key }) => key), again]).toEqual([Array.from({ length: 20 }, (_, i) => `i${i}`), []]);
    expect(await readItemLog({ ledger: new LedgerFiles(made.at.root) }, KEY, STREAM)).toMatchObject({ items: [...items] });
  });

  test('is known by its content if no key says which it is', async () => {
    const { key: _none, ...spec } = (await stream()).spec;
    const made = await stream();
    const emit = (value: Json, id: string) => emitItem(made.at.toolbox, { ...made.open, spec }, value, { id, from: { call: ADDRESS } });
    expect([await emit({ id: 'a', n: 1 }, '1'), await emit({ n: 1, id: 'a' }, '2'), await emit({ id: 'a' }, '3')]).toEqual([
      { kind: 'recorded' },
      { kind: 'again' },
      { kind: 'recorded' },
    ]);
  });

  test.each<[string, Json]>([
    ['breaks its schema', { n: 1 }],
    ['has no key', { id: null }],
    ['is too large', { id: 'x', text: 'y'.repeat(2_000_000) }],
  ])('that %s is refused', async (_, value) => {
    const made = await stream();
    expect(await made.emit(value)).toMatchObject({ kind: 'refused' });
    expect(await keysOf(made)).toEqual([]);
  });

  test('names others that come before it, and its files', async () => {
    const made = await stream({ depends: ['after'], files: ['on'] });
    await made.emit({ id: 'a', after: 'b', on: ['./src/x/../a.ts', 'docs/'] });
    await made.emit({ id: 'b', after: [], on: null });
    const { items } = await made.look();
    expect(items).toMatchObject([{ depends: ['b'], files: ['src/a.ts', 'docs'] }, { key: 'b' }]);
    expect(items[1]).not.toHaveProperty('depends');
    for (const wrong of [{ after: [{}] }, { on: [1] }, { on: Array(201).fill('x') }])
      expect(await made.emit({ id: 'c', ...wrong })).toMatchObject({ kind: 'refused' });
  });

  test('more than there may be fails, and what was emitted stays', async () => {
    const made = await stream();
    for (const id of ['a', 'b', 'c']) await made.emit({ id });
    expect(await codeOf(made.emit({ id: 'd' }))).toBe('stream.too-many-items');
    expect(await made.emit({ id: 'c' })).toEqual({ kind: 'recorded' });
    expect(await keysOf(made)).toEqual(['a', 'b', 'c']);
  });
});

describe('lines that come at once', () => {
  /** The items that a command prints in one go, and the keys of each write to its log. */
  async function printed(more: Partial<EmitSpec> = {}) {
    const made = await stream({ maxItems: 1000, maxWaiting: 1000, ...more });
    const writes: Json[][] = [];
    const append: Ledger['append'] = async (run, log, ...lines) => {
      writes.push(lines.map((line) => field(line, 'key') ?? null));
      const stored = lines.map((line) => made.at.artifacts.has(field(line, 'item') as unknown as ArtifactRef));
      expect(await Promise.all(stored)).not.toContain(false);
      await made.at.ledger.append(run, log, ...lines);
    };
    const ledger: Ledger = Object.assign(Object.create(made.at.ledger), { append });
    const wakes: number[] = [];
    const wake = async () => void wakes.push((await keysOf(made)).length);
    const producer = (toolbox: Partial<Toolbox> = {}, id = ADDRESS) => {
      const onLines = emitLines({ ...made.at.toolbox, ledger, ...toolbox }, made.at.call(id, { wake }), made.open, NO_SECRETS);
      return (lines: readonly string[]) => onLines(lines, new AbortController().signal);
    };
    return { ...made, writes, wakes, producer, print: producer() };
  }
  const said = (...ids: readonly string[]) => ids.map((id) => `::item:: {"id": "${id}"}`);
  const numbered = (count: number) => Array.from({ length: count }, (_, i) => `i${i + 1}`);

  test('are stored and then recorded in few writes, in order', async () => {
    const made = await printed();
    await made.print(['one', ...said(...numbered(250)), 'two']);
    expect(made.writes.map(({ length }) => length)).toEqual([100, 100, 50]);
    expect(await keysOf(made)).toEqual(numbered(250));
    expect(made.wakes).toEqual([250]);
  });

  test('are one item for each key, and what comes again among them or after them is noted once', async () => {
    const made = await printed();
    await made.print(said('a', 'b', 'a', 'a', 'b', 'c'));
    await made.emit({ id: 'c' }, 'another act');
    await made.print(said('a', 'c', 'd'));
    expect(await made.look()).toMatchObject({ again: [{ key: 'a' }, { key: 'b' }, { key: 'c' }], lines: 7 });
    expect(made.writes).toEqual([['a', 'b', 'a', 'b', 'c'], ['d']]);
    expect(await keysOf(made)).toEqual(['a', 'b', 'c', 'd']);
  });

  test.each([
    ['no JSON', '::item:: {no'],
    ['no such item', '::item:: {"n": 1}'],
  ])('with one that is %s fail with the number of its line, and those before it are recorded', async (_, bad) => {
    const made = await printed();
    const failure = await failureOf(made.print(['one', ...said('a', 'b'), bad, ...said('c')]));
    expect(failure).toMatchObject({ code: 'stream.bad-item', details: { step: 'make', line: 4, text: bad } });
    expect(made.writes).toEqual([['a', 'b']]);
  });

  test('and are too many fail once as many are recorded as there may be, what comes again not counted', async () => {
    const made = await printed({ maxItems: 3 });
    expect(await codeOf(made.print(said('a', 'b', 'a', 'c', 'a', 'd', 'e')))).toBe('stream.too-many-items');
    expect(made.writes).toEqual([['a', 'b', 'a', 'c']]);
    expect(await keysOf(made)).toEqual(['a', 'b', 'c']);
  });

  test('wait until there is room, and then as many of them are recorded as it holds', async () => {
    const made = await printed({ maxWaiting: 3 });
    const taken = [2, 2, 3, 6];
    const timer: Timer = (_, then) => {
      void made.at.ledger.note(KEY, takenLog(STREAM), { taken: taken.shift() ?? 0 }).then(then);
      return () => undefined;
    };
    await made.producer({ timer })(said(...numbered(8)));
    expect(made.writes).toEqual([['i1', 'i2', 'i3'], ['i4', 'i5'], ['i6'], ['i7', 'i8']]);
    expect(made.wakes).toEqual([3, 5, 6, 8]);
  });

  test('that an attempt before has recorded, and died, and that wait, have the run look until it has heard', async () => {
    const made = await printed({ maxWaiting: 2 });
    for (const id of ['i1', 'i2']) await made.emit({ id }, `${ADDRESS}/line-${id.slice(1)}`);
    let looks = 0;
    const timer: Timer = (_, then) => {
      looks += 1;
      void made.at.ledger.note(KEY, takenLog(STREAM), { taken: looks < 3 ? 0 : 2 }).then(then);
      return () => undefined;
    };
    let calls = 0;
    const wake = async () => {
      calls += 1;
      if (calls === 1) throw new Error('the server is away');
    };
    const onLines = emitLines({ ...made.at.toolbox, timer }, made.at.call(ADDRESS, { wake }), made.open, NO_SECRETS);
    await onLines(said(...numbered(3)), new AbortController().signal);
    expect(await keysOf(made)).toEqual(numbered(3));
    // It looks twice while nothing comes, and once for the last item.
    expect([looks, calls]).toEqual([3, 3]);
  });

  test.each([
    ['the same try', ADDRESS],
    ['another try', 'make#1~2'],
  ])('of which a crash leaves the first alone are all there, each once, when %s says them again', async (_, again) => {
    const made = await printed();
    const { ledger } = made.at;
    const append: Ledger['append'] = async (run, log, ...lines) => {
      await ledger.append(run, log, ...lines.slice(0, 2));
      throw new ThermidorFailure('store.unavailable', 'the disk is gone');
    };
    const dying: Ledger = Object.assign(Object.create(ledger), { append });
    expect(await codeOf(made.producer({ ledger: dying })(said(...numbered(5))))).toBe('store.unavailable');
    await made.producer({}, again)(said(...numbered(5)));
    expect(made.writes).toEqual([['i3', 'i4', 'i5']]);
    const { items, again: repeated } = await made.look();
    expect([items.map(({ key }) => key), repeated]).toEqual([numbered(5), []]);
  });
});

test('a stream is full while as many wait as may', async () => {
  const made = await stream();
  await made.emit({ id: 'a' });
  expect(await isFull(made.at.toolbox, made.open)).toBe(false);
  await made.emit({ id: 'b' });
  expect(await isFull(made.at.toolbox, made.open)).toBe(true);
  await made.look({ taken: 1 });
  expect(await isFull(made.at.toolbox, made.open)).toBe(false);
});

test('items that are closed become a list, which another run goes over', async () => {
  const made = await stream();
  for (const id of ['a', 'b']) await made.emit({ id });
  const { list } = await made.look({ after: 2, close: { step: 'make' } });
  const again = await made.look({ carried: list, paths: [['id']] });
  expect(again.items).toMatchObject([
    { key: 'a', values: { id: 'a' } },
    { key: 'b', values: { id: 'b' } },
  ]);
});

test('a long answer comes in pages', async () => {
  const made = await stream({ maxItems: 100 });
  for (let i = 0; i < 4; i++) await made.emit({ id: `i${i}`, text: 'x'.repeat(40_000) });
  const first = await made.look({ paths: [['text']] });
  expect([first.items.length, first.more]).toEqual([2, true]);
  const second = await made.look({ after: 2, paths: [['text']] });
  expect([second.items.length, second.more, second.lines]).toEqual([2, undefined, 4]);
});

describe('a command', () => {
  const shell = (text: string, spec: EmitSpec, more: Partial<CommandStep> = {}): CommandStep => ({
    ...{ id: 'make', kind: 'command', command: { shell: [text] }, emits: spec },
    ...more,
  });
  async function run(made: Awaited<ReturnType<typeof stream>>, text: string, more: Partial<CommandStep> = {}) {
    await made.at.open([shell(text, made.spec, more)]);
    return await command(made.at.toolbox, made.at.call(ADDRESS), { run: KEY.run });
  }

  test('emits by lines that are marked, and outputs the others', async () => {
    const made = await stream();
    const output = await run(made, `echo one; echo '::item:: {"id": "a"}'; echo two; printf '::item:: {"id": "b"}'`);
    expect(await keysOf(made)).toEqual(['a', 'b']);
    expect((await made.at.artifacts.get(output.artifact!)).toString()).toBe('one\ntwo');
    expect(JSON.parse((await made.at.artifacts.get(output.emitted!)).toString())).toMatchObject([{ key: 'a' }, { key: 'b' }]);
  });

  test.each([
    ['is no JSON', `echo x; echo '::item:: {no'`],
    ['breaks its schema', `echo x; echo '::item:: {"n": 1}'`],
  ])('with a marked line that %s fails, and says which', async (_, text) => {
    const failure = await failureOf(run(await stream(), `${text}; sleep 300`));
    expect(failure).toMatchObject({ code: 'stream.bad-item', details: { step: 'make', line: 2 } });
  });

  test('that emits without end is ended', async () => {
    const made = await stream({ maxWaiting: 1000 });
    const endless = `i=0; while true; do i=$((i+1)); echo "::item:: {\\"id\\": \\"i$i\\"}"; done`;
    expect(await codeOf(run(made, endless))).toBe('stream.too-many-items');
    expect(await keysOf(made)).toEqual(['i1', 'i2', 'i3']);
  });

  test('is held back while its items wait, and loses none that it has printed by its end', async () => {
    const made = await stream({ maxItems: 10, maxWaiting: 1 });
    const { ledger, toolbox } = made.at;
    const heldBackAt: Json[][] = [];
    async function takeUpNext(): Promise<void> {
      heldBackAt.push(await keysOf(made));
      await ledger.note(KEY, takenLog(STREAM), { taken: heldBackAt.length });
    }
    // It looks again only once the timer rings: the loop takes up an item before each look.
    toolbox.timer = (_waitMs, ring) => {
      void takeUpNext().then(ring);
      return () => undefined;
    };
    await run(made, `for i in 1 2 3; do echo "::item:: {\\"id\\": \\"i$i\\"}"; done`);
    expect(heldBackAt).toEqual([['i1'], ['i1', 'i2']]);
    expect(await keysOf(made)).toEqual(['i1', 'i2', 'i3']);
  });

  test('is not held back while its run closes an execution, and is again in the next one', async () => {
    const made = await stream({ maxItems: 10, maxWaiting: 1 });
    const { ledger, toolbox } = made.at;
    const open = { key: KEY, name: STREAM, step: 'make', spec: made.spec };
    await ledger.note(KEY, takenLog(STREAM), { taken: 0, unbounded: true });
    await run(made, `for i in 1 2 3; do echo "::item:: {\\"id\\": \\"i$i\\"}"; done`);
    expect(await keysOf(made)).toEqual(['i1', 'i2', 'i3']);
    expect(await isFull(toolbox, open)).toBe(false);
    await ledger.note(KEY, takenLog(STREAM), { taken: 0 });
    expect(await isFull(toolbox, open)).toBe(true);
  });

  test('that is held back ends with its time', async () => {
    const made = await stream({ maxWaiting: 1 });
    expect(await codeOf(run(made, `echo '::item:: {"id": "a"}'; echo '::item:: {"id": "b"}'; sleep 300`, { timeoutMs: 300 }))).toBe(
      'command.timeout',
    );
  });
});

describe('an item from outside', () => {
  const send = async (made: Awaited<ReturnType<typeof stream>>, item: Json, by = 'ann') =>
    emitFromOutside(made.at.toolbox, made.at.call('emitItems'), { stream: STREAM, step: 'make', item, by });

  test('is one, however often it is sent, and counts against the bounds', async () => {
    const made = await stream();
    await made.at.open([{ id: 'make', kind: 'command', command: { shell: ['true'] }, emits: made.spec }]);
    expect([await send(made, { id: 'a' }), await send(made, { id: 'a' }), await send(made, { id: 'a' }, 'ben')]).toEqual([
      {},
      {},
      { again: true },
    ]);
    expect(await send(made, { n: 1 })).toMatchObject({ problem: expect.stringContaining('id') });
    await send(made, { id: 'b' });
    expect(await send(made, { id: 'b' })).toEqual({});
    expect(await send(made, { id: 'c' })).toMatchObject({ problem: expect.stringContaining('max_waiting') });
    await made.look({ taken: 3 });
    await send(made, { id: 'c' });
    expect(await send(made, { id: 'd' })).toMatchObject({ problem: expect.stringContaining('max_items') });
    expect((await made.look()).again).toEqual([{ key: 'a', by: 'ben' }]);
  });
});
