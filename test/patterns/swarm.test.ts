import { red, settled } from './played';
import { broken, IN_ORDER, MINUTE, play } from './swarm-play';

describe('a swarm', () => {
  it('CP-7 · workflow · all diagnose at once, each from its perspective, and the best is applied and checked', async () => {
    const played = play();
    await expect(played.world.result).resolves.toMatchObject({ status: 'completed' });
    expect(played.started()).toEqual(['1 verify', '1 p', '1 e', '1 t', '2 fix_e', '2 verify', 'after']);
    expect(played.feedback('swarm_join')).toMatchObject([
      {
        data: {
          issue: 'The build is red.',
          affected_tasks: [],
          diagnosis_so_far: [],
          assignment: expect.stringContaining('p: architecture, e: implementation, t: environment'),
        },
      },
    ]);
    expect(played.feedback('swarm_diagnosis')).toMatchObject([
      { from: 'p', data: { perspective: 'architecture', root_cause: 'p sees', confidence: 0.3 } },
      { from: 'e', data: { perspective: 'implementation', confidence: 0.6 } },
      { from: 't', data: { perspective: 'environment', confidence: 0.5 } },
    ]);
    expect(played.output()).toMatchObject({
      outcome: 'solved',
      by: 'e',
      diagnosed_by: 'e',
      root_cause: 'e sees',
      solution: 'fix_e has changed it',
    });
    expect(played.world.step('mob')).toMatchObject({ state: 'done', swarm: { outcome: 'solved', round: 1, fixer: 'e' } });
  });

  it('CP-7 · workflow · of those as sure the one that names more files that exist is applied, with what others say of these', async () => {
    const sure = (fix: string) => ({ root_cause: 'x', confidence: 0.9, fix_suggestion: fix });
    const played = play({
      says: { p: sure('edit gone.ts, lost.ts'), e: sure('edit src/a.ts'), t: sure('edit src/a.ts and src/b.ts') },
      files: ['src/a.ts', 'src/b.ts'],
    });
    await expect(played.world.result).resolves.toMatchObject({ status: 'completed' });
    expect(played.output()).toMatchObject({
      by: 't',
      rounds: [{ candidates: [{ by: 't', paths: ['src/a.ts', 'src/b.ts'], complements: [{ by: 'e' }] }, { by: 'p' }] }],
    });
    expect(played.world.ruled['mob#1~1/diagnosis-2']).toMatchObject({ by: 't', complements: [{ by: 'e' }] });
  });

  it('CP-7 · roles · one agent that is named applies every fix', async () => {
    const played = play({ text: IN_ORDER.replace('verify:', 'fixer: p, verify:') });
    await expect(played.world.result).resolves.toMatchObject({ status: 'completed' });
    expect(played.started()).toContain('2 fix_p');
    expect(played.output()).toMatchObject({ by: 'p', diagnosed_by: 'e' });
  });

  it('CP-7 · roles · a message that calls itself a diagnosis is a message', async () => {
    const played = play({ says: { p: 'silence' } });
    await settled(played);
    played.world.signal('swarm_diagnosis', { by: 'mallory', step: 'mob', confidence: 1 });
    await settled(played);
    expect(played.feedback('swarm_diagnosis').map(({ from }) => from)).toEqual(['e', 't']);
    expect(played.world.step('mob')).toMatchObject({ waitingFor: 'the diagnosis of p' });
  });

  it('CP-7 · entry · is none if there is nothing to solve: the step is skipped', async () => {
    const played = play({ matter: null });
    await expect(played.world.result).resolves.toMatchObject({ status: 'completed' });
    expect(played.started()).toEqual(['after']);
    expect(played.world.step('mob')).toMatchObject({ state: 'skipped' });
  });

  it('CP-7 · entry · an answer with an invalid confidence does not count, even if an adapter lets it through', async () => {
    const played = play({ says: { e: { root_cause: 'x', confidence: 7, fix_suggestion: 'y' } } });
    await expect(played.world.result).resolves.toMatchObject({ status: 'completed' });
    expect(played.output()).toMatchObject({ by: 't', rounds: [{ skipped: [{ agent: 'e', reason: 'its answer is not a diagnosis' }] }] });
    expect(played.feedback('swarm_diagnosis').map(({ from }) => from)).toEqual(['p', 't']);
  });

  it('CP-7 · silence/abstention · who is silent is left out, and the best of what came is applied', async () => {
    const played = play({ says: { e: 'silence', t: broken } });
    const start = played.world.clock.now();
    await played.world.completes();
    expect(played.world.clock.now() - start).toBe(10 * MINUTE);
    expect(played.output()).toMatchObject({
      by: 'p',
      rounds: [
        {
          skipped: [
            { agent: 'e', reason: 'no answer in time' },
            { agent: 't', reason: 'it did not answer' },
          ],
        },
      ],
    });
  });

  it('CP-7 · time-out · after the time the best diagnosis so far is applied, and nobody is waited for longer', async () => {
    const played = play({ text: IN_ORDER.replace('verify:', 'timeout: 3m, verify:'), says: { e: { after: 4 * MINUTE, says: 1 } } });
    await played.world.completes();
    expect(played.output()).toMatchObject({ by: 't' });
  });

  it('CP-7 · time-out · a check that is too slow before the fix says nothing about what a fix breaks', async () => {
    const played = play({ says: { verify: ['silence', red, 'passes'] } });
    await played.world.completes();
    expect(played.output()).toMatchObject({ outcome: 'solved', tried: [{ outcome: 'unsolved' }, { outcome: 'solved' }] });
  });
});

describe('a fix that does not help', () => {
  it('CP-7 · fallbacks · a second round begins, which is given what was tried', async () => {
    const played = play({ says: { verify: [red, red, 'passes'] } });
    await expect(played.world.result).resolves.toMatchObject({ status: 'completed' });
    expect(played.started()).toEqual([
      '1 verify',
      '1 p',
      '1 e',
      '1 t',
      '2 fix_e',
      '2 verify',
      '3 p',
      '3 e',
      '3 t',
      '4 fix_e',
      '4 verify',
      'after',
    ]);
    expect(played.feedback('swarm_join')[1]?.data).toMatchObject({
      diagnosis_so_far: [{ diagnosed_by: 'e', outcome: 'unsolved', reason: 'command.failed: exit code 1' }],
    });
    const given = played.world.seen.find(({ call }) => call.options.address?.startsWith('mob[3]/mob_p'))?.input.inputs;
    expect(given).toHaveProperty('record');
  });

  it('CP-7 · fallbacks · the same fix is not tried again', async () => {
    const same = { root_cause: 'x', confidence: 1, fix_suggestion: 'clean the cache' };
    const played = play({ says: { e: same, verify: [red, red, 'passes'] } });
    await expect(played.world.result).resolves.toMatchObject({ status: 'completed' });
    expect(played.output()).toMatchObject({ by: 't', tried: [{ diagnosed_by: 'e' }, { diagnosed_by: 't' }] });
  });

  it('CP-7 · fallbacks · one that breaks what had passed is followed by the next best of the round', async () => {
    const played = play({ says: { verify: ['passes', red, 'passes'] } });
    await expect(played.world.result).resolves.toMatchObject({ status: 'completed' });
    expect(played.started().slice(4)).toEqual(['2 fix_e', '2 verify', '3 fix_t', '3 verify', 'after']);
    expect(played.output()).toMatchObject({ by: 't', tried: [{ outcome: 'broke' }, { outcome: 'solved' }] });
  });

  it('CP-7 · fallbacks · so is one with which other tests fail than before, if tests are read', async () => {
    const report = (...failing: string[]) => ({ passed: 1, failed: failing.length, failures: failing.map((name) => ({ name })) });
    const played = play({
      text: IN_ORDER.replace('verify: npm test', 'verify: {run: npm test, tests: {format: tap}}'),
      says: { verify: [report('one'), report('one', 'two'), report()] },
    });
    await expect(played.world.result).resolves.toMatchObject({ status: 'completed' });
    expect(played.output()).toMatchObject({ by: 't', tried: [{ outcome: 'broke', reason: 'fails now: two' }, { outcome: 'solved' }] });
  });

  it('CP-7 · fallbacks · an agent that fails, or says that it has not applied the diagnosis, is followed by the next best', async () => {
    const played = play({ says: { fix_e: broken, fix_t: { applied: false, summary: 'cannot' } } });
    await expect(played.world.result).resolves.toMatchObject({ status: 'completed' });
    expect(played.started().slice(4)).toEqual(['2 fix_e', '3 fix_t', '4 fix_p', '4 verify', 'after']);
    expect(played.output()).toMatchObject({ by: 'p', tried: [{ outcome: 'not_applied' }, { outcome: 'not_applied' }, {}] });
  });

  it('CP-7 · fallbacks · is taken back if the step has a worktree, before anything else is tried', async () => {
    const played = play({
      text: IN_ORDER.replace('verify:', 'worktree: true, verify:'),
      says: { verify: [red, red, 'passes'] },
    });
    await expect(played.world.result).resolves.toMatchObject({ status: 'completed' });
    expect(played.started().slice(4, 8)).toEqual(['2 fix_e', '2 verify', '2 rollback', '3 p']);
    expect(played.output()).toMatchObject({ tried: [{ outcome: 'unsolved', rolled_back: true }, { outcome: 'solved' }] });
    expect(played.reasons()).toContain('mob: e applied what e diagnosed: unsolved, rolled back');
  });

  it('CP-7 · fallbacks · after two rounds a person decides, who sees all that was tried', async () => {
    const played = play({ says: { verify: red } });
    await settled(played);
    expect(played.world.status().gates).toMatchObject([{ step: 'mob', kind: 'escalation' }]);
    played.world.signal('approve', { step: 'mob', by: 'cfo' });
    await expect(played.world.result).resolves.toMatchObject({ status: 'completed' });
    expect(played.world.step('mob')).toMatchObject({ state: 'done', swarm: { outcome: 'unsolved' } });
    const overruled = Object.entries(played.world.ruled).find(([address]) => address.endsWith('/overruled'))?.[1];
    expect(overruled).toMatchObject({ outcome: 'overruled', tried: [{ round: 1 }, { round: 2 }] });
  });

  it('CP-7 · fallbacks · a person who asks for another attempt has the rounds begin again, in turns of their own', async () => {
    const played = play({ says: { verify: [red, red, red, red, 'passes'] } });
    await settled(played);
    played.world.signal('respond', { step: 'mob', by: 'cfo', response: 'revise', comment: 'look at the disk' });
    await settled(played);
    await expect(played.world.result).resolves.toMatchObject({ status: 'completed' });
    const starts = played.world.order();
    expect(new Set(starts).size).toBe(starts.length);
  });

  it('CP-7 · fallbacks · on_fail: stop fails the step with a code of its own', async () => {
    const played = play({ text: IN_ORDER.replace('verify:', 'on_fail: stop, verify:'), says: { verify: red } });
    await expect(played.world.result).rejects.toMatchObject({ code: 'swarm.unsolved' });
  });

  it('CP-7 · silence/abstention · two rounds in which nobody answers are unsolved', async () => {
    const played = play({ text: IN_ORDER.replace('verify:', 'on_fail: stop, verify:'), says: { p: broken, e: broken, t: broken } });
    await expect(played.world.result).rejects.toMatchObject({ code: 'swarm.unsolved' });
    expect(played.started()).toEqual(['1 verify', '1 p', '1 e', '1 t', '2 p', '2 e', '2 t']);
  });
});
