import { type FailureCode, ThermidorFailure } from '../../plan/run/failure';
import { block, escalation, execution, plan, review, subTask } from '../brief/replies';
import { planFrom } from '../patterns/compiled';
import { briefText, playBrief } from './brief-play';

/** What an operator does about a role that failed: the run's commands and the brief's own question do not get in each other's way. */

const EXECUTOR = 'brief[2]/brief_executor';
const OPERATOR = 'brief[3]/brief_operator';

async function failing(code: FailureCode, times = 1) {
  const brief = playBrief({
    says: {
      planner: [block(plan(subTask('a')))],
      executor: [...Array.from({ length: times }, () => new ThermidorFailure(code, 'it is gone')), block(execution('a'))],
      reviewer: [block(review('a', 'pass'))],
    },
  });
  await brief.settle();
  while (brief.world.clock.tick()) await brief.settle();
  return brief;
}

describe('a role whose call has an unknown outcome is held', () => {
  const unknown = () => failing('action.unknown');

  it('for `retry`: it is asked once more, and the brief goes on', async () => {
    const brief = await unknown();
    expect(brief.world.status()).toMatchObject({ state: 'held', held: [{ step: EXECUTOR }], gates: [] });
    await brief.world.update('retry', { step: EXECUTOR, by: 'ops' });
    await expect(brief.world.result).resolves.toMatchObject({ status: 'completed' });
    expect(brief.calls).toEqual(['planner', 'executor', 'executor', 'reviewer']);
    expect(brief.output()).toMatchObject({ outcome: 'success', calls: 4, questions: 0 });
  });

  it('for `skip`: there is no reply, so that a person decides about the sub-task', async () => {
    const brief = await unknown();
    await brief.world.update('skip', { step: EXECUTOR, by: 'ops' });
    await brief.settle();
    expect(brief.world.status()).toMatchObject({
      state: 'waiting',
      gates: [{ step: OPERATOR, choices: ['retry', 'pass', 'skip', 'stop'] }],
    });
    expect(brief.notes().at(-1)).toMatchObject({ state: 'escalate', subtask: 'a', reason: 'gave no reply: it was skipped' });
    brief.world.signal('respond', { step: OPERATOR, by: 'ann', response: 'skip' });
    await expect(brief.world.result).resolves.toMatchObject({ status: 'completed' });
    expect(brief.output()).toMatchObject({ outcome: 'incomplete', sub_tasks: [{ state: 'skipped' }] });
  });

  it('for `abort`', async () => {
    const brief = await unknown();
    await brief.world.update('abort', { by: 'ops' });
    await expect(brief.world.result).rejects.toMatchObject({ code: 'run.aborted' });
    expect(brief.calls).toEqual(['planner', 'executor']);
  });
});

describe('a role that cannot run', () => {
  it.each([
    ['adapter.unavailable', 1],
    ['agent.failed', 2],
    ['model.api-error', 2],
  ] as const)('with %s is a question after %d calls, and an operator has nothing to take up', async (code, tries) => {
    const brief = await failing(code, tries);
    expect(brief.calls).toEqual(['planner', ...Array.from({ length: tries }, () => 'executor')]);
    expect(brief.notes().at(-1)).toMatchObject({ state: 'escalate', reason: `${code}: it is gone` });
    for (const command of ['skip', 'retry'] as const)
      await expect(brief.world.update(command, { step: EXECUTOR, by: 'ops' })).rejects.toMatchObject({
        outcome: 'misdirected',
        gates: [{ step: OPERATOR }],
      });
    brief.world.signal('respond', { step: OPERATOR, by: 'ann', response: 'retry', comment: 'it is back' });
    await expect(brief.world.result).resolves.toMatchObject({ status: 'completed' });
    expect(brief.output()).toMatchObject({ outcome: 'success', questions: 1 });
  });
});

it('a person who stops a brief has stopped it for good, also if the step has tries left', async () => {
  const text = briefText().replace('- id: brief', '- id: brief\n    retry: {max: 3}');
  const says = { planner: [block(plan(subTask('a')))], executor: [block(escalation('warn'))] };
  const brief = playBrief({ text, says, answers: ['stop'] });
  await brief.settle();
  await expect(brief.world.result).rejects.toMatchObject({ code: 'brief.stopped' });
  expect(brief.world.step('brief')).toMatchObject({ state: 'failed', try: 1 });
});

describe('`timeout` of a brief is for its whole team', () => {
  const says = {
    planner: [block(plan(subTask('a')))],
    executor: ['silence', block(execution('a'))],
    reviewer: [block(review('a', 'pass'))],
  };
  const within = (more: string) => briefText().replace('- id: brief', `- id: brief\n    timeout: 10m${more}`);

  it('when it is up, the step fails, whatever is in progress', async () => {
    const brief = playBrief({ text: within(''), says });
    await brief.settle();
    await brief.world.elapse();
    await expect(brief.world.result).rejects.toMatchObject({ code: 'step.timeout' });
    expect(brief.world.step('brief')).toMatchObject({ state: 'failed' });
    expect(brief.calls).toEqual(['planner', 'executor']);
  });

  it('a further try goes on where the one before has got to', async () => {
    const brief = playBrief({ text: within('\n    retry: {max: 2}'), says });
    await brief.settle();
    await brief.world.elapse();
    await brief.settle();
    await expect(brief.world.result).resolves.toMatchObject({ status: 'completed' });
    expect(brief.calls).toEqual(['planner', 'executor', 'executor', 'reviewer']);
    expect(brief.output()).toMatchObject({ outcome: 'success', sub_tasks: [{ id: 'a', state: 'passed' }] });
  });

  it('and a role has as long as the brief says for it', () => {
    const text = within('').replace('roles: [planner, executor, reviewer]', 'roles: {planner: {timeout_ms: 5000}, executor: , reviewer: }');
    const [step] = planFrom(text).block.steps;
    expect(step && 'parts' in step ? step.parts.map(({ timeoutMs }) => timeoutMs) : []).toEqual([5000, ...Array(4).fill(undefined)]);
  });
});
