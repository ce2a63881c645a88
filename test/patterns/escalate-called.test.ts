import { carry, rerun } from '../interpreter/carrying';
import { freshly } from '../interpreter/program';
import { artifact, type StepBehaviour } from '../support/world';
import { type EscalationOptions, LEVELS, type Played, play } from './escalate-play';
import { failsAtFirst, settled, unique } from './played';

/** The action `escalate(rescue)` calls the step, which runs nowhere else. */
const CALLED = `steps:
  - {id: build, run: make, on_error: escalate(rescue)}
  - {id: rescue, type: escalate, ${LEVELS}}
  - {id: after, run: 'true'}
`;

const called = (times: number, options: EscalationOptions = {}): Played =>
  play({ text: CALLED, steps: { build: failsAtFirst(times) }, ...options });

describe('a step that an action calls', () => {
  it('CP-5 · entry · runs when the action calls it, with what the action follows as its issue', async () => {
    const played = called(1, { says: { s: { recommendation: 'clean first' }, apply: 'solved' } });
    await expect(played.world.result).resolves.toMatchObject({ status: 'completed' });
    expect(played.started()).toEqual(['build', '1 e', '2 e', '3 s', '4 apply', 'build#2~1', 'after']);
    expect(played.world.ruled['rescue#1~1/issue']).toMatchObject({
      issue: { step: 'build', reason: 'step build failed: command.failed: exit code 1', code: 'command.failed' },
    });
    const [, again] = played.world.seen.filter(({ step }) => step === 'build');
    expect(again?.input.findings).toMatchObject({ instructions: 'rescue, solved by s: clean first' });
  });

  it('CP-5 · entry · does not run if nothing calls it, and nobody waits for it', async () => {
    const played = called(0);
    await expect(played.world.result).resolves.toMatchObject({ status: 'completed' });
    expect(played.started()).toEqual(['build', 'after']);
    expect(played.world.step('rescue')).toMatchObject({ state: 'skipped' });
  });

  it('CP-5 · workflow · the caller waits for it, says so, and holds no slot meanwhile', async () => {
    const played = called(1, { says: { e: 'silence' }, text: `limits: {concurrent: 1}\n${CALLED}` });
    await settled(played);
    expect(played.started()).toEqual(['build', '1 e']);
    expect(played.world.step('build')).toMatchObject({ state: 'waiting', waitingFor: 'the step rescue, which it has called' });
    expect(played.world.step('rescue')).toMatchObject({ state: 'running', waitingFor: 'the answer of e (L0)' });
  });

  it('CP-5 · fallbacks · if no level solves it, the next action decides', async () => {
    const text = CALLED.replace('escalate(rescue)', '[escalate(rescue), continue]').replace(', {human: "#desk", timeout: 24h}', ', human');
    const played = called(1, { text });
    await settled(played);
    played.world.signal('respond', { by: 'cfo', response: 'abort', comment: 'leave it' });
    await expect(played.world.result).resolves.toMatchObject({ status: 'completed' });
    expect(played.world.step('build')).toMatchObject({ state: 'failed' });
    expect(played.world.step('rescue')).toMatchObject({ state: 'failed', error: { code: 'escalate.unsolved' } });
    expect(played.started().at(-1)).toBe('after');
  });

  it('CP-5 · fallbacks · without another action the caller fails of what it had failed of', async () => {
    const played = called(1);
    await settled(played);
    played.world.signal('respond', { by: 'cfo', response: 'abort', comment: 'leave it' });
    await expect(played.world.result).rejects.toMatchObject({ code: 'command.failed' });
  });

  it('CP-5 · workflow · is called again if the work fails again, each time in a round of its own, and not for ever', async () => {
    const played = called(9, { says: { e: 'solved' } });
    await expect(played.world.result).rejects.toMatchObject({ code: 'command.failed' });
    expect(played.world.seen.filter(({ step }) => step === 'build')).toHaveLength(4);
    expect(played.world.step('rescue')).toMatchObject({ round: 3, state: 'done' });
    unique(played);
  });

  it('CP-5 · time-out · a workaround goes back to the caller, marked', async () => {
    const played = called(1, { says: { workaround: { recommendation: 'skip the check' } } });
    await played.world.completes();
    const [, again] = played.world.seen.filter(({ step }) => step === 'build');
    expect(again?.input.findings).toMatchObject({ instructions: 'rescue has no solution, only a workaround: WORKAROUND: skip the check' });
  });

  it('CP-5 · fallbacks · a root cause sends back from where the step was called', async () => {
    const text = `steps:
  - {id: plan, run: 'true'}
  - {id: build, run: make, on_error: escalate(rescue)}
  - {id: rescue, type: escalate, ${LEVELS}, on_root_cause: retry(plan)}
`;
    const played = called(1, { text, says: { s: { root_cause: 'a circle' } } });
    await expect(played.world.result).resolves.toMatchObject({ status: 'completed' });
    expect(played.started()).toEqual(['plan', 'build', '1 e', '2 e', '3 s', 'plan#2~1', 'build#2~1']);
  });

  it('CP-5 · workflow · two that call it at once have their turns', async () => {
    const text = `steps:
  - id: both
    branches:
      - {id: one, run: make, on_error: escalate(rescue)}
      - {id: two, run: make, on_error: escalate(rescue)}
  - {id: rescue, type: escalate, ${LEVELS}}
  - {id: after, run: 'true'}
`;
    const played = play({ text, says: { e: 'solved' }, steps: { one: failsAtFirst(1), two: failsAtFirst(1) } });
    await expect(played.world.result).resolves.toMatchObject({ status: 'completed' });
    expect(played.world.step('rescue')).toMatchObject({ round: 2, state: 'done' });
    expect(played.world.seen.filter(({ step }) => step === 'one' || step === 'two')).toHaveLength(4);
    unique(played);
  });

  it('CP-5 · cancel · is called off with the step that has called it, and the next one in line gets it', async () => {
    const text = `steps:
  - id: both
    parallel:
      branches:
        - {id: one, run: make, on_error: escalate(rescue)}
        - {id: two, run: 'true'}
      wait: any
  - {id: rescue, type: escalate, ${LEVELS}}
  - {id: after, run: make, on_error: escalate(rescue)}
`;
    let done: (() => void) | undefined;
    const waits: StepBehaviour = () =>
      new Promise((resolve) => {
        done = () => resolve({ artifact: artifact('two') });
      });
    const played = play({ text, says: { e: ['silence', 'solved'] }, steps: { one: failsAtFirst(1), two: waits, after: failsAtFirst(1) } });
    await settled(played);
    expect(played.world.step('rescue')).toMatchObject({ state: 'running' });
    done?.();
    await settled(played);
    await expect(played.world.result).resolves.toMatchObject({ status: 'completed' });
    expect(played.world.step('rescue')).toMatchObject({ state: 'done', round: 2 });
  });

  it('CP-5 · continue-as-new · wherever a run continues, the caller gets its answer', async () => {
    const fresh = freshly();
    const played = called(1, { says: { s: { recommendation: 'clean first' }, apply: 'up' }, historyIsFull: fresh.historyIsFull });
    await settled(played);
    await fresh.again(played.world);
    expect(played.world.executions).toBe(2);
    played.world.signal('respond', { by: 'cfo', response: 'solved', comment: 'done by hand' });
    await settled(played);
    await fresh.again(played.world);
    await expect(played.world.result).resolves.toMatchObject({ status: 'completed' });
    unique(played);
    const [, again] = played.world.seen.filter(({ step }) => step === 'build');
    expect(again?.input.findings).toMatchObject({ instructions: 'rescue, solved by cfo: done by hand' });
  });

  it('CP-5 · roles · what a reviewer refuses goes back to the author with the solution', async () => {
    const text = `steps:
  - {id: draft, run: 'true'}
  - {id: look, type: review, agent: c, of: draft, on_block: escalate(rescue)}
  - {id: rescue, type: escalate, ${LEVELS}}
`;
    let looked = 0;
    const look: StepBehaviour = () => {
      const word = looked++ === 0 ? 'block' : 'pass';
      return { artifact: artifact(`v-${word}`), values: { verdict: word }, verdict: { verdict: word, findings: {} } };
    };
    const played = play({ text, says: { e: 'solved' }, steps: { look } });
    await expect(played.world.result).resolves.toMatchObject({ status: 'completed' });
    expect(played.started()).toEqual(['draft', 'look', '1 e', 'draft#2~1', 'look#2~1']);
  });

  it('CP-5 · rerun from inside · of a called step begins at its caller', async () => {
    const played = called(1, { says: { e: 'solved' } });
    await played.world.result;
    const answer = played.world.query('carry', { from: 'rescue[1]/rescue_e', again: [] });
    expect(answer).toEqual({ problem: 'rescue[1]/rescue_e runs only where an action calls rescue: rerun from build' });
    const again = rerun(played.plan, carry(played.world, 'build').carry, { steps: { build: failsAtFirst(0) } });
    await expect(again.result).resolves.toMatchObject({ status: 'completed' });
    expect(again.step('rescue')).toMatchObject({ state: 'skipped' });
    expect(again.step('after').carried).toBeUndefined();
  });

  it('CP-5 · workflow · a further try of the container around it asks all levels again', async () => {
    const text = `steps:
  - id: g
    retry: {max: 2, delay: 1s}
    parallel:
      - id: h
        steps:
          - {id: build, run: make, on_error: escalate(rescue)}
          - {id: rescue, type: escalate, levels: [e, {human: "#desk", timeout: 1h, on_timeout: stop}]}
`;
    const played = called(2, { text, says: { e: ['up', 'up', 'solved'] } });
    await played.world.completes();
    unique(played);
    expect(played.world.order().filter((address) => address.includes('rescue_e'))).toEqual(
      ['[1]/rescue_e#1', '[2]/rescue_e#1', '[1]/rescue_e#2'].map((attempt) => `g[0]/h/rescue${attempt}~1`),
    );
  });
});
