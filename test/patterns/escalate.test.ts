import { broken, IN_ORDER, LEVELS, play } from './escalate-play';
import { red, settled } from './played';

describe('an issue', () => {
  it('CP-5 · workflow · goes up level by level, each as often as it has attempts, to a person', async () => {
    const played = play();
    await settled(played);
    const { world } = played;
    expect(played.started()).toEqual(['1 e', '2 e', '3 s', '4 c']);
    expect(world.status().gates).toMatchObject([
      { step: 'rescue[5]/rescue_person', channel: '#desk', choices: ['solved', 'solution', 'redefine', 'abort', 'workaround'] },
    ]);
    expect(played.feedback()).toMatchObject([
      { from: 'e', to: 's', data: { from_level: 0, to_level: 1, attempts_at_current: 2, issue: 'The build is red.' } },
      { from: 's', to: 'c', data: { from_level: 1, to_level: 2, attempts_at_current: 1 } },
      {
        ...{ from: 'c', to: 'human("#desk")' },
        data: {
          diagnosis_chain: [
            { level: 0, agent: 'e', attempts: 2, diagnosis: 'e sees' },
            { level: 1, agent: 's', attempts: 1 },
            { level: 2, agent: 'c', attempts: 1 },
          ],
        },
      },
    ]);
    expect(world.step('rescue')).toMatchObject({
      waitingFor: 'the answer of human("#desk") (L3)',
      escalation: { level: 3, attempt: 1, doing: 'ask', levels: ['e', 's', 'c', 'human("#desk")'] },
    });
    world.signal('respond', { by: 'cfo', response: 'solved', comment: 'I have replaced the disk' });
    await expect(world.result).resolves.toMatchObject({ status: 'completed' });
    expect(played.output()).toMatchObject({ outcome: 'solved', level: 3, by: 'cfo', solution: 'I have replaced the disk', marked: null });
  });

  it('CP-5 · success · is solved if a level says so, and nobody above is asked', async () => {
    const played = play({ says: { e: ['up', 'solved'] } });
    await expect(played.world.result).resolves.toMatchObject({ status: 'completed' });
    expect(played.started()).toEqual(['1 e', '2 e', 'after']);
    expect(played.output()).toMatchObject({ outcome: 'solved', level: 0, by: 'e', diagnosis_chain: [{ attempts: 2 }] });
    expect(played.feedback()).toEqual([]);
  });

  it('CP-5 · success · a command decides if there is one, whatever somebody says', async () => {
    const text = `steps:\n  - {id: rescue, type: escalate, issue: It is red., ${LEVELS}, solved_when: {run: npm test}}\n`;
    const played = play({ text, says: { e: 'solved', s: 'solved', check: [red, red, 'solved'] } });
    await expect(played.world.result).resolves.toMatchObject({ status: 'completed' });
    expect(played.started()).toEqual(['1 e', '1 check', '2 e', '2 check', '3 s', '3 check']);
    expect(played.output()).toMatchObject({ outcome: 'solved', level: 1, diagnosis_chain: [{ check: 'command.failed: exit code 1' }, {}] });
  });

  it('CP-5 · workflow · a recommendation goes back to the first agent, and what came of it goes up', async () => {
    const played = play({ says: { s: { recommendation: 'move the module' }, apply: 'up', c: 'solved' } });
    await expect(played.world.result).resolves.toMatchObject({ status: 'completed' });
    expect(played.started()).toEqual(['1 e', '2 e', '3 s', '4 apply', '5 c', 'after']);
    expect(played.output()).toMatchObject({
      diagnosis_chain: [{}, { recommendation: 'move the module', applied: { by: 'e', diagnosis: 'apply sees' } }, { agent: 'c' }],
    });
  });

  it('CP-5 · workflow · a task that a level redefines is the first agent’s from then on', async () => {
    const played = play({ says: { s: { redefined_task: 'leave the old module' }, apply: 'solved' } });
    await expect(played.world.result).resolves.toMatchObject({ status: 'completed' });
    expect(played.output()).toMatchObject({
      outcome: 'solved',
      level: 1,
      by: 's',
      task: 'leave the old module',
      solution: 'leave the old module',
    });
  });

  it('CP-5 · entry · is none if there is nothing to solve: the step is skipped', async () => {
    const played = play({ matter: null });
    await expect(played.world.result).resolves.toMatchObject({ status: 'completed' });
    expect(played.started()).toEqual(['after']);
    expect(played.world.step('rescue')).toMatchObject({ state: 'skipped' });
  });

  it('CP-5 · time-out · a person who is silent: the first agent takes the most conservative option, marked WORKAROUND', async () => {
    const played = play({ says: { workaround: { recommendation: 'switched the test off' } } });
    await played.world.completes();
    expect(played.started()).toEqual(['1 e', '2 e', '3 s', '4 c', '6 workaround', 'after']);
    expect(played.output()).toMatchObject({
      outcome: 'workaround',
      marked: 'WORKAROUND',
      level: 3,
      by: 'e',
      solution: 'switched the test off',
    });
    expect(played.world.journal()).toContainEqual(
      expect.objectContaining({ step: 'rescue', state: 'done', reason: expect.stringContaining('WORKAROUND') }),
    );
  });

  it('CP-5 · time-out · with on_timeout: stop their silence is a failure', async () => {
    const text = IN_ORDER.replace('timeout: 24h', 'timeout: 24h, on_timeout: stop');
    const played = play({ text });
    await played.world.elapse();
    await expect(played.world.result).rejects.toMatchObject({ code: 'escalate.unsolved' });
  });

  it('CP-5 · silence/abstention · without a timeout a person is waited for', async () => {
    const played = play({ text: IN_ORDER.replace(', timeout: 24h', '') });
    await settled(played);
    expect(played.world.clock.pending).toBe(0);
    expect(played.world.status().gates).toHaveLength(1);
  });

  it('CP-5 · fallbacks · an agent that fails has made its attempt', async () => {
    const played = play({ says: { e: broken, s: 'solved' } });
    await expect(played.world.result).resolves.toMatchObject({ status: 'completed' });
    expect(played.output()).toMatchObject({
      outcome: 'solved',
      diagnosis_chain: [{ attempts: 2, diagnosis: 'gave no answer: agent.timeout: it did not answer' }, { agent: 's' }],
    });
  });

  it.each([['fallbacks · a person gives up: the step fails', 'abort', 'escalate.unsolved']])('CP-5 · %s', async (_rule, response, code) => {
    const played = play();
    await settled(played);
    played.world.signal('respond', { by: 'cfo', response, comment: 'no' });
    await expect(played.world.result).rejects.toMatchObject({ code });
  });

  it('CP-5 · roles · what a person recommends the first agent carries out', async () => {
    const played = play({ says: { apply: 'solved' } });
    await settled(played);
    played.world.signal('respond', { by: 'cfo', response: 'solution', comment: 'buy a disk' });
    await expect(played.world.result).resolves.toMatchObject({ status: 'completed' });
    expect(played.output()).toMatchObject({ outcome: 'solved', level: 3, by: 'cfo', solution: 'buy a disk' });
  });

  it('CP-5 · success · what L1 solves becomes a pattern for L0', async () => {
    const solvedAt = async (says: Parameters<typeof play>[0] & object) => {
      const played = play(says);
      await played.world.result;
      return [
        played.output()['pattern'],
        played.world.journal().flatMap((entry) => (entry.kind === 'pattern' && entry.type === 'retro_finding' ? entry.data.patterns : [])),
      ];
    };
    await expect(solvedAt({ says: { s: { recommendation: 'move it' }, apply: 'solved' } })).resolves.toEqual([
      { problem: 'The build is red.', solution: 'move it' },
      ['The build is red. → move it'],
    ]);
    await expect(solvedAt({ says: { e: 'solved' } })).resolves.toEqual([null, []]);
    const text = IN_ORDER.replace(LEVELS, `${LEVELS}, remember: false`);
    await expect(solvedAt({ text, says: { s: { recommendation: 'move it' }, apply: 'solved' } })).resolves.toEqual([null, []]);
    await expect(solvedAt({ says: { c: 'solved' } })).resolves.toEqual([null, []]);
  });

  it('CP-5 · fallbacks · a root cause sends the plan back', async () => {
    const text = `steps:
  - {id: plan, run: 'true'}
  - {id: rescue, type: escalate, issue: It is red., ${LEVELS}, on_root_cause: retry(plan)}
`;
    const played = play({ text, says: { s: [{ root_cause: 'a circle of modules' }, 'solved'] } });
    await expect(played.world.result).resolves.toMatchObject({ status: 'completed' });
    const [, again] = played.world.seen.filter(({ step }) => step === 'plan');
    expect(again?.input.findings).toMatchObject({ instructions: expect.stringContaining('a circle of modules') });
    expect(played.output()).toMatchObject({ outcome: 'solved' });
  });
});
