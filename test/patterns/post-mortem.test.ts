import { ThermidorFailure } from '../../plan/run/failure';
import type { StepOutput } from '../../plan/steps/step-activity';
import { agent, approval, command } from '../support/steps';
import { planOf, runPlan, type Seen } from '../support/world';
import { settled } from './played';
import { MINUTE, type Played, play, retro } from './post-mortem-play';

const journalOf = ({ world }: Played, kind: 'memory' | 'step') => world.journal().filter((entry) => entry.kind === kind);
const later = (call: Seen['call']): Promise<StepOutput> => new Promise((resolve) => void call.clock.after(MINUTE, () => resolve({})));
const fails = () => {
  throw new ThermidorFailure('command.failed', 'exit 1');
};

describe('a run looks back', () => {
  it('CP-10 · workflow · asks all agents at once, reports, and is the last step', async () => {
    const played = play({ a: retro({ patterns: ['Lint first'] }), b: retro({ patterns: ['lint FIRST!'] }) }, { before: [command('tidy')] });
    await expect(played.world.result).resolves.toMatchObject({ status: 'completed' });
    expect(played.world.order()).toEqual(['draft#1~1', 'tidy#1~1', 'post_mortem[1]/post_mortem_a#1~1', 'post_mortem[1]/post_mortem_b#1~1']);
    expect(played.report()).toMatchObject({
      team: 'test_pipeline',
      execution_summary: { total_tasks: 2, completed: 2, errors: 0, fix_cycles: 0, escalations: 0 },
      reusable_patterns: ['Lint first'],
      sources: [
        { agent: 'a', from: 'retrospective' },
        { agent: 'b', from: 'retrospective' },
      ],
    });
    expect(played.world.step('post_mortem')).toMatchObject({ state: 'done', artifact: { name: 'post_mortem#1~1/kept' } });
  });

  it('CP-10 · workflow · each agent’s findings are signals of the run', async () => {
    const played = play({ a: retro({ went_well: ['Fast'] }) });
    await played.world.result;
    expect(played.findings()).toMatchObject([
      { step: 'post_mortem', from: 'a', data: { went_well: ['Fast'], difficult: [], suggestions: [], patterns: [] } },
    ]);
  });

  it('CP-10 · workflow · agents are given what the journal says, and the rule reads the same', async () => {
    const played = play({ a: retro() });
    await played.world.result;
    const [seen] = played.world.seen.filter(({ step }) => step === 'post_mortem_a');
    expect(seen?.input.inputs).toMatchObject({ execution: { name: 'post_mortem#1~1/mined' } });
    // A worker that dies is noticed by its heartbeat, not after the minutes that a long journal may take.
    const own = played.world.calls.filter(({ name }) => name === 'mineJournal' || name === 'keepLessons');
    expect(own.map(({ options }) => options.heartbeatMs)).toEqual([30_000, 30_000]);
  });

  it('CP-10 · roles · if the file names nobody, agents that had work are asked', async () => {
    const played = play({ a: retro(), b: retro() }, { step: { takers: true } });
    await played.world.result;
    expect(played.asked()).toEqual(['a']);
    expect(played.report()['sources']).toMatchObject([{ agent: 'a' }]);
  });

  it('CP-10 · roles · of more than sixteen agents the journal speaks for the rest', async () => {
    const names = Array.from({ length: 18 }, (_, i) => `a${i}`);
    const played = play(Object.fromEntries(names.map((name) => [name, retro()])));
    await played.world.result;
    expect(played.asked()).toEqual(names.slice(0, 16));
    const rest = { from: 'journal', reason: 'at most 16 agents are asked' };
    expect(played.report()['sources']).toMatchObject([...names.slice(0, 16).map((agent) => ({ agent })), rest, rest]);
  });

  it('CP-10 · roles · a pipeline without agents has a report of its journal', async () => {
    const played = play({}, { work: [command('build')] });
    await expect(played.world.result).resolves.toMatchObject({ status: 'completed' });
    expect(played.report()).toMatchObject({ execution_summary: { total_tasks: 1, completed: 1 }, sources: [] });
  });
});

describe('when there is one', () => {
  it('CP-10 · entry · `notable`: without trouble nobody is asked, and the report is minimal', async () => {
    const played = play({ a: retro({ patterns: ['x'] }) }, { step: { occasion: 'notable' } });
    await played.world.result;
    expect(played.asked()).toEqual([]);
    expect(played.report()).toMatchObject({
      execution_summary: { total_tasks: 1 },
      reusable_patterns: [],
      recommendations: [],
      sources: [],
    });
  });

  it.each([
    ['a run that fails', { steps: { draft: fails } }],
    ['a try that failed', { work: [agent('draft', { agent: 'a', onError: [{ kind: 'continue' as const }] })], steps: { draft: fails } }],
  ])('CP-10 · entry · `notable`: after trouble agents are asked: %s', async (_, more) => {
    const played = play({ a: retro() }, { step: { occasion: 'notable' }, ...more });
    await played.world.result.catch(() => undefined);
    expect(played.asked()).toEqual(['a']);
    expect(played.report()).toMatchObject({ execution_summary: { errors: expect.any(Number) } });
  });

  it('CP-10 · entry · `asked`: unless somebody asks it is skipped', async () => {
    const played = play({ a: retro() }, { step: { occasion: 'asked' } });
    await played.world.result;
    expect(played.asked()).toEqual([]);
    expect(played.world.step('post_mortem')).toMatchObject({ state: 'skipped' });
    expect(played.world.calls.map(({ name }) => name)).not.toContain('mineJournal');
  });

  it.each(['asked', 'notable'] as const)('CP-10 · entry · a person asks for it while the run is at work: %s', async (occasion) => {
    const played = play({ a: retro() }, { step: { occasion }, steps: { draft: ({ call }) => later(call) } });
    await settled(played);
    await expect(played.world.update('post_mortem', { by: 'ann' })).resolves.toMatchObject({ outcome: 'applied', step: 'post_mortem' });
    await expect(played.world.update('post_mortem', { by: 'bob' })).rejects.toMatchObject({ outcome: 'duplicate' });
    await played.world.elapse();
    await played.world.result;
    expect(played.asked()).toEqual(['a']);
    expect(played.world.journal()).toContainEqual(
      expect.objectContaining({ kind: 'signal', name: 'post_mortem', outcome: 'applied', by: 'ann' }),
    );
  });

  it('CP-10 · late answer · a request is late once it has begun, and refused if there is none', async () => {
    const played = play({ a: 'silence' });
    await settled(played);
    await expect(played.world.update('post_mortem', {})).rejects.toMatchObject({ outcome: 'late' });
    const without = runPlan(planOf([agent('draft')]), { steps: { draft: () => new Promise(() => undefined) } });
    await without.settle();
    await expect(without.update('post_mortem', {})).rejects.toMatchObject({ outcome: 'refused' });
  });
});

describe('agents that are gone, silent or late', () => {
  it('CP-10 · time-out · what has come after three minutes counts, and the journal speaks for the others', async () => {
    const played = play({ a: retro({ patterns: ['x'] }), b: 'silence' }, { work: [agent('draft', { agent: 'b' })] });
    const start = played.world.clock.now();
    await played.world.completes();
    expect(played.world.clock.now() - start).toBe(3 * MINUTE);
    expect(played.report()).toMatchObject({
      what_went_well: ['b completed 1 of 1 task'],
      reusable_patterns: ['x'],
      sources: [
        { agent: 'a', from: 'retrospective' },
        { agent: 'b', from: 'journal', reason: 'it had not answered after 3 min 00 s' },
      ],
      partial: [expect.stringContaining('b gave no retrospective')],
    });
    expect(played.findings().map(({ from }) => from)).toEqual(['a']);
  });

  it('CP-10 · silence/abstention · if nobody answers the report is the journal’s', async () => {
    const played = play({ a: 'silence', b: 'silence' });
    await played.world.elapse();
    await played.world.result;
    expect(played.report()).toMatchObject({ reusable_patterns: [], sources: [{ from: 'journal' }, { from: 'journal' }] });
    expect(played.findings()).toEqual([]);
  });

  it('CP-10 · fallbacks · an agent that is gone is mined from the journal', async () => {
    const gone = new ThermidorFailure('adapter.unavailable', 'no adapter "x"');
    const played = play({ a: gone, b: retro() });
    await expect(played.world.result).resolves.toMatchObject({ status: 'completed' });
    expect(played.report()['sources']).toEqual([
      { agent: 'a', from: 'journal', reason: 'adapter.unavailable: no adapter "x"' },
      { agent: 'b', from: 'retrospective' },
    ]);
  });

  it('CP-10 · late answer · one that comes after the end is not waited for', async () => {
    const played = play({ a: { after: 4 * MINUTE, says: retro({ patterns: ['late'] }) } });
    await played.world.elapse();
    await played.world.result;
    expect(played.report()['reusable_patterns']).toEqual([]);
  });

  it('CP-10 · fallbacks · the report names what the journal lacks', async () => {
    const played = play({ a: retro() }, { mined: { partial: ['entries 1 to 256 of the journal are not in the store'] } });
    await played.world.result;
    expect(played.report()['partial']).toEqual(['entries 1 to 256 of the journal are not in the store']);
  });
});

describe('whatever happens in it', () => {
  it.each([
    ['completed', {}],
    ['failed', { steps: { draft: fails } }],
  ] as const)('CP-10 · fallbacks · a failure of its own leaves the run’s end as it is: %s', async (state, more) => {
    const keep = () => Promise.reject(new ThermidorFailure('output.too-large', 'too large'));
    const played = play({ a: retro() }, { ...more, keep });
    await played.world.result.catch(() => undefined);
    expect(played.world.status()).toMatchObject({ state });
    expect(played.world.step('post_mortem')).toMatchObject({
      state: 'failed',
      error: { code: 'output.too-large' },
      artifact: { name: 'post_mortem#1~1/report' },
    });
    expect(played.world.notices.map(({ channel }) => channel)).toContain('#errors');
  });

  it('CP-10 · fallbacks · a file that cannot be written is in the journal, and nothing fails', async () => {
    const error = { code: 'memory.unusable', message: 'team.md cannot be written: EACCES' };
    const played = play({ a: retro() }, { keep: () => [{ file: 'team.md', as: 'memory', error }] });
    await played.world.result;
    expect(played.world.step('post_mortem').state).toBe('done');
    expect(journalOf(played, 'memory')).toMatchObject([{ step: 'post_mortem', event: 'failed', file: 'team.md', error }]);
  });

  it('CP-10 · success · the journal says what was added, confirmed, and could not be read', async () => {
    const played = play(
      { a: retro() },
      { keep: () => [{ file: 'team.md', as: 'memory', added: 2, confirmed: 1, problems: ['line 3: no id'] }] },
    );
    await played.world.result;
    expect(journalOf(played, 'memory')).toMatchObject([
      { event: 'written', added: 2, confirmed: 1 },
      { event: 'unreadable', reason: 'line 3: no id' },
    ]);
  });

  it('CP-10 · cancel · a run that is cancelled is looked back on, and stays cancelled', async () => {
    const played = play({ a: retro() }, { steps: { draft: () => new Promise(() => undefined) } });
    await settled(played);
    played.world.cancel();
    await expect(played.world.result).rejects.toThrow();
    expect(played.world.status().state).toBe('cancelled');
    expect(played.asked()).toEqual(['a']);
  });

  it('CP-10 · cancel · an abort ends it at once', async () => {
    const played = play({ a: 'silence' });
    await settled(played);
    played.world.signal('abort', { by: 'ops' });
    await expect(played.world.result).rejects.toMatchObject({ code: 'run.aborted' });
    expect(played.report()).toEqual({});
  });

  it('CP-10 · success · a person’s no in `finally` skips the rest of it, and not the post-mortem', async () => {
    const played = play({ a: retro({ patterns: ['x'] }) }, { before: [approval('sure'), command('tidy')] });
    await settled(played);
    played.world.signal('reject', { step: 'sure', by: 'ann' });
    await expect(played.world.result).resolves.toMatchObject({ status: 'completed' });
    expect(played.world.step('tidy').state).toBe('skipped');
    expect(played.world.step('post_mortem').state).toBe('done');
    expect(played.report()['reusable_patterns']).toEqual(['x']);
  });
});
