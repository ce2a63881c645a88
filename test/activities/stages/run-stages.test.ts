import { runStages } from '../../../activities/stages/run-stages';
import { STAGES } from '../../../plan/stages/stage';
import { codeOf, failureOf, scratchFolder } from '../workshop';
import { out, ports, stage } from './pipe';

/** Keeps the results of work that was done once, and lists them. */
function ledger() {
  const kept = new Map<string, unknown>();
  return {
    names: () => [...kept.keys()],
    once: async <T>(name: string, work: () => Promise<T>): Promise<T> => {
      const before: unknown = kept.get(name);
      if (before !== undefined) return before as T;
      const result = await work();
      kept.set(name, result);
      return result;
    },
  };
}

describe('a pipe', () => {
  test('gives each stage the output of the one before', async () => {
    const stages = [stage('where', 'n>1'), stage('sort', { key: 'n', desc: true }), stage('template', '{{n}}'), stage('head', { n: '1' })];
    expect(await out([{ n: 1 }, { n: 2 }, { n: 3 }], stages)).toEqual(['3']);
  });

  test('without a stage outputs what came in', async () => {
    expect(await out([1, 2], [])).toEqual([1, 2]);
  });

  test('goes on after a stage that asked', async () => {
    const stages = [stage('exec', 'false'), stage('approve'), stage('map', { wrap: 'w' })];
    expect(await runStages(stages, [1], ports(), 2)).toEqual({ kind: 'done', items: [{ w: 1 }], rendered: '' });
  });

  test('does what has an effect once, and everything else again', async () => {
    const folder = scratchFolder();
    const kept = ledger();
    const at = ports({ LOBSTER_STATE_DIR: folder }, { once: kept.once });
    const stages = [
      stage('state.get', 'count'),
      stage('exec', { shell: `echo x >> ${folder}/runs; wc -l < ${folder}/runs`, json: true }),
      stage('map', { wrap: 'n' }),
      stage('state.set', 'count'),
      stage('diff.last', { key: 'count' }),
    ];
    const first = await out([], stages, at);
    expect(first).toMatchObject([{ changed: false, after: { n: 1 } }]);
    expect(await out([], stages, at)).toEqual(first);
    expect(kept.names()).toEqual(['0', '1', '3', '4/before', '4']);
  });

  test('does diff.last again after a crash between its writing and its record, and says the same', async () => {
    const kept = ledger();
    const at = ports(
      { LOBSTER_STATE_DIR: scratchFolder() },
      {
        // The crash lost the record of the stage.
        once: (name, work) => (name.includes('/') ? kept.once(name, work) : work()),
      },
    );
    const diff = stage('diff.last', { key: 'k' });
    const first = await out([1], diff, at);
    expect(first).toMatchObject([{ changed: true, before: null }]);
    expect(await out([1], diff, at)).toEqual(first);
  });

  test('keeps of a failed stage nothing, so that another try does it again', async () => {
    const kept = ledger();
    await failureOf(out([], [stage('exec', 'true'), stage('exec', 'false')], ports({}, { once: kept.once })));
    expect(kept.names()).toEqual(['0']);
  });

  test('ends when it is cancelled, with the reason', async () => {
    const reason = new Error('cancelled');
    await expect(out([], stage('json'), ports({}, { signal: AbortSignal.abort(reason) }))).rejects.toBe(reason);
    const stop = new AbortController();
    const running = out([], stage('exec', 'sleep', '300'), ports({}, { signal: stop.signal }));
    stop.abort(reason);
    await expect(running).rejects.toBe(reason);
  });

  test('fails on an item that is nested too deeply', async () => {
    const deep = JSON.parse(`${'['.repeat(100_000)}${']'.repeat(100_000)}`);
    expect(await codeOf(out([[deep]], stage('dedupe')))).toBe('stage.failed');
  });
});

describe('lists', () => {
  test('commands.list has every stage and its older names, in order', async () => {
    const listed = (await out(['ignored'], stage('commands.list'))) as { name: string; description: string }[];
    const names = listed.map(({ name }) => name);
    expect(names).toEqual([...STAGES, 'llm_task.invoke', 'clawd.invoke'].sort());
    expect(listed.find(({ name }) => name === 'head')).toEqual({
      name: 'head',
      description: expect.any(String),
      argsSchema: { type: 'object', properties: { n: { type: 'number', description: expect.any(String) } }, required: [] },
      examples: null,
      sideEffects: [],
    });
  });

  test('workflows.list has what the worker finds', async () => {
    expect(await out([], stage('workflows.list'), ports({}, { workflows: async () => [{ name: 'x' }] }))).toEqual([{ name: 'x' }]);
  });
});
