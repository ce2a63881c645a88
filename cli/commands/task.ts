import { findTeam } from '../../client/find-team';
import type { TaskDetails } from '../../plan/board/board-details';
import { boardLines } from '../../plan/board/board-lines';
import { numberIn } from '../../plan/board/task';
import { defined, unlessEmpty } from '../../plan/defined';
import { jsonText } from '../../plan/text/json-text';
import type { Invocation } from '../command';
import { EXIT, usage } from '../exit';
import { renderTask } from '../rendering/board';
import { manyLines } from '../rendering/text/printable';
import { type FoundBoard, lookUpBoard, wholeText } from '../session/found-board';
import { orderedBy, sendOrder } from '../session/send-order';
import { withSession } from '../session/with-session';
import { configurationOf } from '../settings/settings';

/** Puts a task on a board. The receipt has its number. */
export function add(invocation: Invocation): Promise<number> {
  const { args, options } = invocation;
  const priority = options.text('priority');
  const payload = {
    ...orderedBy(invocation, configurationOf(invocation).user.value),
    subject: args[0] ?? '',
    ...defined({
      description: options.text('description'),
      name: options.text('name'),
      blocked_by: unlessEmpty(options.list('after')),
      required_role: options.text('role'),
      priority,
      worktree: options.flag('worktree') || undefined,
      key: options.text('key'),
      step: options.text('step'),
    }),
  };
  return sendOrder(invocation, { name: 'task', payload, moves: false, find: (client) => findTeam(client, options.text('team')) });
}

export async function list(invocation: Invocation): Promise<number> {
  const { options, terminal } = invocation;
  const { run, board } = await found(invocation);
  const tasks = board.tasks;
  if (options.flag('json')) terminal.out(`${jsonText({ run, step: board.step, team: board.team, tasks }, { step: '  ' })}\n`);
  else terminal.out(`${manyLines(boardLines({ ...board, members: [] }))}\n`);
  return EXIT.done;
}

/** A task with its description, who gave it back and why, its attempts, its cost and its result. */
export async function show(invocation: Invocation): Promise<number> {
  const { args, options, terminal } = invocation;
  const ref = args[0] ?? '';
  return withSession(invocation, 'answers', async (session) => {
    const { run, board, view } = await lookUpBoard(session, options.text('team'), defined({ step: options.text('step') }));
    const task = taskCalled(board.tasks, ref);
    if (!task) throw noTask(board, ref);
    const read = await wholeText(session, view);
    const texts = defined({
      description: await read(task.description),
      returned: task.returned && ((await read(task.returned.whole)) ?? task.returned.reason),
      result: task.result && ((await read(task.result.whole)) ?? task.result.text),
    });
    if (options.flag('json')) terminal.out(`${jsonText({ run, step: board.step, team: board.team, ...task, texts }, { step: '  ' })}\n`);
    else terminal.out(renderTask(task, texts, terminal.colors));
    return EXIT.done;
  });
}

function taskCalled(tasks: readonly TaskDetails[], ref: string): TaskDetails | undefined {
  const number = numberIn(ref);
  return tasks.find(({ name }) => name === ref) ?? tasks.find(({ id }) => id === number);
}

function noTask({ total, step }: FoundBoard['board'], ref: string) {
  const number = numberIn(ref);
  if (number !== undefined && number >= 1 && number <= total)
    return usage(`#${number} was completed, and the board no longer shows it`, `its result is in the output of ${step}`);
  return usage(`the board has no task "${ref}"`, 'see them with: thermidor task list');
}

function found(invocation: Invocation): Promise<FoundBoard> {
  const { options } = invocation;
  return withSession(invocation, 'answers', (session) =>
    lookUpBoard(session, options.text('team'), defined({ step: options.text('step') })),
  );
}
