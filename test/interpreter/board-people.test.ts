import type { Json } from '../../plan/text/json';
import { coder, completes, type Member, plan, playBoard, rows, toTheEnd } from './board-play';
import { freshly } from './program';

/** What people are asked, and what they answer, while the team works. */

const task = (subject: string) => ({ subject });
const TWO = { members: [coder('alice'), coder('bob')], mostMembers: 2, attempts: 1 };
const gates = (played: ReturnType<typeof playBoard>) => played.world.status().gates.map(({ step }) => step);
const answer = (played: ReturnType<typeof playBoard>, choice: 'approve' | 'reject', step: string) =>
  played.world.update(choice, { step, by: 'ann' });

/** alice gives up each task until she is able to; bob submits a plan with his first task. */
function team(options: Parameters<typeof playBoard>[0] = {}) {
  const answers: Json[] = [];
  const able = { alice: false };
  const member: Member = async (work) => {
    const [, number] = /Task #(\d+)/.exec(work.text) ?? [];
    if (work.member === 'alice' && number && !able.alice)
      await work.ask({ kind: 'fail_task', task: Number(number), reason: 'it is too much' });
    else if (work.member === 'bob' && number) {
      // What alice gives up is there before.
      await work.takes(1000);
      answers.push(await work.ask(plan('first this', work)));
      return await completes(work);
    } else return await completes(work);
    return undefined;
  };
  return { played: playBoard({ member, step: TWO, ...options }), answers, able };
}

it('a plan does not wait behind a question about a task', async () => {
  const { played, answers, able } = team({ tasks: ['one', 'two'].map(task) });
  await played.world.elapse(() => gates(played).length === 2);
  expect(played.world.step('team').board?.plansOf).toEqual(['bob']);
  await answer(played, 'approve', 'team[2]/team_person');
  await played.world.elapse(() => answers.length > 0);
  expect(answers).toMatchObject([{ approved: true }]);
  expect(gates(played)).toEqual(['team[1]/team_person']);
  able.alice = true;
  await answer(played, 'approve', 'team[1]/team_person');
  await toTheEnd(played);
  expect(rows(played, 'tasks')).toMatchObject([{ status: 'completed' }, { status: 'completed' }]);
});

it('a plan does not wait behind any number of them, of which as many are asked at once as there are members', async () => {
  const { played, answers } = team({ tasks: ['one', 'two', 'three', 'four', 'five'].map(task) });
  await played.world.elapse(() => gates(played).length === 3);
  expect(played.world.step('team').board?.tasks.map(({ status }) => status)).toEqual(['held', 'in_progress', 'held', 'held', 'held']);
  await answer(played, 'reject', 'team[3]/team_person');
  await played.world.elapse(() => answers.length > 0);
  expect(answers).toMatchObject([{ approved: false }]);
  const asked = new Set<string>();
  while (gates(played).length > 0) {
    expect(gates(played).length).toBeLessThanOrEqual(2);
    for (const gate of gates(played)) {
      expect(asked).not.toContain(gate);
      asked.add(gate);
      await answer(played, 'reject', gate);
    }
    await played.world.settle();
  }
  expect(asked.size).toBe(4);
  await played.world.elapse();
  await expect(played.world.result).rejects.toMatchObject({ code: 'board.unfinished' });
});

it('questions stay open in a fresh execution at every wait, and each is asked once', async () => {
  const fresh = freshly();
  const { played, able } = team({ tasks: ['one', 'two', 'three', 'four'].map(task), historyIsFull: fresh.historyIsFull });
  await played.world.elapse(() => gates(played).length === 3);
  for (let again = 0; again < 3; again++) {
    await fresh.again(played.world);
    expect(gates(played)).toEqual(['team[1]/team_person', 'team[2]/team_person', 'team[3]/team_person']);
  }
  expect(played.world.executions).toBeGreaterThan(3);
  able.alice = true;
  await answer(played, 'approve', 'team[2]/team_person');
  await fresh.again(played.world);
  expect(gates(played)).toContain('team[4]/team_person');
  for (const gate of gates(played)) {
    await answer(played, 'approve', gate);
    await fresh.again(played.world);
  }
  await fresh.toTheEnd(played.world);
  await expect(played.world.result).resolves.toMatchObject({ status: 'completed' });
  expect(rows(played, 'tasks').map((row) => (row as { status: string }).status)).toEqual(Array(4).fill('completed'));
});
