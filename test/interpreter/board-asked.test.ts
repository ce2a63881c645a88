import { ThermidorFailure } from '../../plan/run/failure';
import { asJson } from '../../records/stored-json';
import { transcriptLog } from '../../records/transcripts/transcript-log';
import { coder, completes, type Member, notes, playBoard, rows, toTheEnd } from './board-play';
import { freshly } from './program';

/** A member's call that asks the board: the run decides while the call waits, or after a pause of its activity. */

const isAgent = ({ name }: { name: string }) => name === 'agent';
const TASKS = ['one', 'two', 'three'].map((subject) => ({ subject }));
const TEAM = { members: [coder('alice'), coder('bob')] };

/** Asks for everything that a call may ask, and says what became of it. */
function asking(answers: string[]): Member {
  return async (work) => {
    const { ask, text, member } = work;
    if (!text.includes('Task #1')) return completes(work);
    const task = { subject: 'four', blockedBy: [1] };
    for (const request of [{ kind: 'create_task', task }, { kind: 'claim_task', task: 4 }, { kind: 'list_tasks' }] as const)
      answers.push(`${member} ${request.kind}: ${JSON.stringify(await ask(request)).slice(0, 24)}`);
    return completes(work);
  };
}

it.each([
  ['waits for', { waits: true as const }, 4],
  ['pauses for', {}, 11],
])('a call that %s a decision gets it once, and the same one', async (_, options, calls) => {
  const answers: string[] = [];
  const played = playBoard({ tasks: TASKS, member: asking(answers), step: TEAM, ...options });
  await toTheEnd(played);
  expect(rows(played, 'tasks')).toMatchObject(Array.from({ length: 4 }, () => ({ status: 'completed', attempts: 1 })));
  expect([...new Set(answers)]).toEqual([
    'alice create_task: {"created":{"id":4,"subj',
    'alice claim_task: {"refused":"blocked","ta',
    'alice list_tasks: {"team":"research","comp',
  ]);
  expect(notes(played, 'created')).toHaveLength(4);
  expect(played.world.calls.filter(isAgent)).toHaveLength(calls);
});

it('is decided once when each wait falls into another execution', async () => {
  const fresh = freshly();
  const played = playBoard({ tasks: TASKS, member: asking([]), step: TEAM, waits: true, historyIsFull: fresh.historyIsFull });
  await fresh.toTheEnd(played.world);
  await expect(played.world.result).resolves.toMatchObject({ status: 'completed' });
  expect(played.world.executions).toBeGreaterThan(1);
  expect(rows(played, 'tasks')).toMatchObject(Array.from({ length: 4 }, () => ({ status: 'completed', attempts: 1 })));
});

it('is not decided when the activity has failed before the run has looked', async () => {
  let failures = 1;
  const member: Member = async (work) => {
    const { call } = work.seen;
    const key = { workflowId: call.info.workflowId, run: call.info.firstRunId };
    if (work.member !== 'alice' || failures-- <= 0) return completes(work);
    const asked = { id: 'claims', request: { kind: 'claim_task', task: 3 } };
    await played.world.ledger.append(key, transcriptLog(call.options.address ?? ''), asJson({ ask: 1, exchanged: { asked } }));
    throw new ThermidorFailure('model.unauthorized', 'no key');
  };
  const played = playBoard({ tasks: TASKS, member, step: TEAM, waits: true });
  await toTheEnd(played);
  expect(notes(played, 'claimed').filter((note) => 'by' in note && note.by === 'alice')).toMatchObject([{ task: 1 }]);
});
