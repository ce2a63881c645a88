import type { Json } from '../../plan/text/json';
import { field } from '../../plan/text/json';
import type { PartEnd, StepContext } from '../../workflows/interpreter/context/step-context';
import { partOf, stored } from '../../workflows/interpreter/patterns/parts';
import { type Board, keptOf, mootSleeper, peopleSleeper, stateOf, tell } from './board';
import { PERSON_PART } from './model';
import type { PersonQuestion } from './state';
import { closeEnded } from './worktrees';

/**
 * A coroutine that asks people what the team cannot decide: takes a question of its kind, waits for the answer, and takes the next, until
 * the board is over. There are as many for plans as members, each of whom waits for one plan at most: no plan waits for another question.
 */
export async function askPeople(board: Board, ctx: StepContext, kind: PersonQuestion['kind']): Promise<void> {
  const { it, place } = board;
  await ctx.loop<null, null>('asks', null, async (turn) => {
    const next = await turn.awaited('next', { sleeper: peopleSleeper(board) }, () => nextQuestion(board, kind));
    if (!next || next.kind === 'end') return { done: null };
    const { about, number } = next;
    const question = await stored(it, place, turn, `question-${number}`, () => questionOf(board, about));
    const { ended } = await turn.all(
      'asked',
      {
        answer: { part: partOf(it, place, PERSON_PART), turn: number, given: { question } },
        moot: (own) => own.awaited('moot', { sleeper: mootSleeper(board, number) }, () => (isMoot(board, about) ? true : undefined)),
      },
      { enough: ({ answer, moot }) => answer !== undefined || moot !== undefined },
    );
    turn.once('decided', () => {
      const kept = keptOf(board);
      const { asked = 0, open = [] } = kept.asks ?? {};
      kept.asks = { asked, open: open.filter((one) => one.number !== number) };
      // A question that nobody has answered in time counts as a no.
      const { values } = (ended['answer'] ?? {}) as Partial<PartEnd>;
      decided(board, about, values?.['approved'] === true, values);
      return null;
    });
    if (about.kind === 'task' && place.step.worktree) await closeEnded(board, turn, about.task);
    return { next: null };
  });
}

function nextQuestion(
  board: Board,
  kind: PersonQuestion['kind'],
): { kind: 'ask'; about: PersonQuestion; number: number } | { kind: 'end' } | undefined {
  if (stateOf(board).over !== undefined) return { kind: 'end' };
  const { asks } = keptOf(board);
  const next = asks?.open.find(({ about, number }) => about.kind === kind && number === undefined);
  if (!asks || !next) return undefined;
  asks.asked += 1;
  next.number = asks.asked;
  return { kind: 'ask', about: next.about, number: next.number };
}

/** Nobody waits for the answer any more: the board is over, who has submitted the plan has gone, or who has asked for the task has. */
function isMoot(board: Board, about: PersonQuestion): boolean {
  const { over, requests, tasks } = stateOf(board);
  if (over !== undefined) return true;
  if (about.kind === 'task') return !tasks.some(({ number, status }) => number === about.task && status === 'held');
  return !requests.some(({ id, status }) => id === about.requestId && status === 'pending');
}

function questionOf(board: Board, about: PersonQuestion): Record<string, Json> {
  if (about.kind === 'plan')
    return {
      plan_of: about.message.from,
      plan: about.message.content,
      approve: 'it goes on with this plan',
      reject: 'it makes another plan',
    };
  const { subject = '', attempt = 0, returned } = stateOf(board).tasks.find(({ number }) => number === about.task) ?? {};
  return {
    ...{ task: `#${about.task}: ${subject}`, attempts: attempt, came_back_from: returned?.by ?? '', reason: returned?.reason ?? '' },
    ...{ approve: 'the team tries it again', reject: 'it is left out, and what waits for it stays open' },
  };
}

function decided(board: Board, about: PersonQuestion, approved: boolean, values: Record<string, Json> | undefined): void {
  if (about.kind === 'task') {
    tell(board, { kind: 'decided', task: about.task, choice: approved ? 'again' : 'drop' });
    return;
  }
  const comment = field(values, 'comment');
  const content = typeof comment === 'string' ? comment : approved ? 'approved' : 'rejected';
  const { requestId, message } = about;
  tell(board, {
    kind: 'sent',
    message: {
      ...{ id: `answer-${requestId}`, type: 'plan_approval_response', from: 'a person', to: message.from },
      ...{ content, characters: content.length, at: new Date(board.it.run.ctx.now()).toISOString(), requestId, approved },
    },
  });
}
