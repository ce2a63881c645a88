import type { MemberReport } from '../../plan/board/report';
import type { StepOutput } from '../../plan/steps/step-activity';

import { coder, type Member, notes, playBoard, rows, toTheEnd, type Work } from './board-play';
import { freshly } from './program';

/** Members that are programs, through a run: they answer with a report at the end of a WORK, and ask nothing meanwhile. */

const task = (subject: string) => ({ subject });
const report = (status: MemberReport['status'], more: Partial<MemberReport> = {}): Partial<StepOutput> => ({
  report: { status, said: { text: `it is ${status}` }, ...more },
});
const to = (name: string, content: string) => ({ to: name, content, characters: content.length });
const numberIn = ({ text }: Work) => Number(/Task #(\d+)/.exec(text)?.[1] ?? 0);

/** What a program answers to its first task, and to messages; everything else is done. */
const answers =
  (first: Partial<StepOutput>, later: Partial<StepOutput> = report('done')): Member =>
  async (work) => {
    await work.takes(1000);
    if (numberIn(work) === 1) return first;
    return work.text.includes('<inbox>') ? later : report('done');
  };

it('does its tasks one after the other, those that it creates included', async () => {
  const played = playBoard({
    tasks: [task('one')],
    member: answers(
      report('done', {
        tasks: [
          { subject: 'two', name: 'two' },
          { subject: 'three', blockedBy: ['two'] },
        ],
      }),
    ),
    step: { members: [coder('alice')], until: 'all_done' },
  });
  await toTheEnd(played);
  expect(rows(played, 'tasks')).toMatchObject([
    { number: 1, status: 'completed', owner: 'alice', result: 'it is done' },
    { number: 2, status: 'completed', owner: 'alice' },
    { number: 3, status: 'completed', owner: 'alice' },
  ]);
  // No request to shut down is paid for.
  expect(played.works).toHaveLength(3);
});

it('gives a blocked task back, which another tries with the reason', async () => {
  const member: Member = async (work) => {
    await work.takes(work.member === 'alice' ? 1000 : 100);
    return report(work.member === 'alice' && numberIn(work) === 1 ? 'blocked' : 'done');
  };
  const played = playBoard({ tasks: [task('one'), task('two'), task('three')], member, step: { members: [coder('alice'), coder('bob')] } });
  await toTheEnd(played);
  expect(played.works.find((text) => text.startsWith('bob') && text.includes('Task #1'))).toContain('blocked: it is blocked');
  expect(rows(played, 'tasks')).toMatchObject([{ number: 1, owner: 'bob', attempts: 2 }, {}, {}]);
});

it('does not loop over a task that stays blocked: a person is asked', async () => {
  const played = playBoard({ tasks: [task('one')], member: () => report('blocked'), step: { members: [coder('alice')], attempts: 3 } });
  await played.world.elapse(() => played.world.status().gates.length > 0);
  expect(played.works).toHaveLength(3);
  await played.world.update('reject', { step: played.world.status().gates[0]?.step, by: 'ann' });
  await played.world.elapse();
  await expect(played.world.result).rejects.toMatchObject({ message: expect.stringContaining('#1 one (dropped)') });
});

it('writes to others, and learns in its next WORK what could not be done', async () => {
  const tried = report('done', { tasks: [{ subject: 'two', blockedBy: ['nowhere'] }], messages: [to('bob', 'look'), to('zoe', 'hello')] });
  const member: Member = async (work) => (work.member === 'bob' ? report('done') : await answers(tried)(work));
  const played = playBoard({ tasks: [task('one')], member, step: { members: [coder('alice'), coder('bob')] } });
  await toTheEnd(played);
  const [learns] = played.works.filter((text) => text.startsWith('alice: <inbox>'));
  expect(learns).toContain('unknown_blocker');
  expect(learns).toContain('nobody in the team is called zoe');
  expect(played.works.filter((text) => text.startsWith('bob: <inbox>'))).toEqual([
    expect.stringContaining('"from":"alice","content":"look"'),
  ]);
  expect(rows(played, 'messages')).toMatchObject([{ from: 'alice', to: 'zoe' }]);
});

it('repeats a mistake once, and is not paid for it again', async () => {
  const wrong = report('done', { messages: [to('zoe', 'hello')] });
  const played = playBoard({ tasks: [task('one')], member: answers(wrong, wrong), step: { members: [coder('alice')] } });
  await toTheEnd(played);
  expect(played.works).toHaveLength(2);
  expect(notes(played, 'undelivered')).toHaveLength(2);
});

it('is counted once over many executions', async () => {
  const member: Member = async (work) => {
    await work.takes(1000);
    const number = numberIn(work);
    const next = number > 0 && number < 20 ? { tasks: [task(`after ${number}`)], messages: [to('lead', `done ${number}`)] } : {};
    return report('done', next);
  };
  const fresh = freshly();
  const step = { members: [coder('alice'), coder('bob')] };
  const played = playBoard({ tasks: [task('one')], member, step, historyIsFull: fresh.historyIsFull });
  await fresh.toTheEnd(played.world);
  await expect(played.world.result).resolves.toMatchObject({ status: 'completed' });
  expect(played.world.executions).toBeGreaterThan(3);
  expect(rows(played, 'tasks')).toHaveLength(20);
  expect(notes(played, 'created')).toHaveLength(20);
  expect(notes(played, 'completed')).toHaveLength(20);
  expect(notes(played, 'sent')).toHaveLength(19);
});
