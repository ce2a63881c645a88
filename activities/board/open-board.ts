import { hasBoard } from '../../kinds/questions';
import type { OpenedBoard } from '../../plan/board/board-activities';
import { numbersIn, readTask, refuseOtherKeys, typeName } from '../../plan/board/read-task';
import type { NewTask } from '../../plan/board/task';
import { defined } from '../../plan/defined';
import { evaluate, render } from '../../plan/expressions/evaluate';
import type { Template } from '../../plan/expressions/expression';
import type { ArtifactRef, Sha256 } from '../../plan/run/artifact';
import { bug, ThermidorFailure } from '../../plan/run/failure';
import type { BoardStep } from '../../plan/steps/step';
import type { StepInput } from '../../plan/steps/step-activity';
import { isJsonObject, type Json } from '../../plan/text/json';
import { asJson, getJson } from '../../records/stored-json';
import { type ActivityCall, requireAddress } from '../activity-call';
import { loadRun, stepAt } from '../run/load-run';
import { inputScope } from '../run/template-scope';
import type { Toolbox } from '../toolbox';

/** Further tasks are created by members. */
const MOST_TASKS = 1000;
/** The limit of problems in a message. */
const SHOWN = 10;

/**
 * The tasks and members of a board as it begins: renders their texts and stores them. Repeating it is harmless. What depends on the board,
 * such as circles, the board itself checks.
 *
 * Fails with `board.bad-tasks` if the value that lists the tasks is no such list, and with the store's failures.
 */
export async function openBoard(toolbox: Toolbox, call: ActivityCall, input: StepInput): Promise<OpenedBoard> {
  const run = await loadRun(toolbox, call.key);
  const step = stepAt(run, requireAddress(call));
  if (!hasBoard(step)) throw bug(`step "${step.id}" has no board`);
  const scope = await inputScope(toolbox, run, input, 'store');
  const text = async (digest: Sha256 | undefined, name: string): Promise<ArtifactRef | undefined> => {
    if (digest === undefined) return undefined;
    const template = await getJson<Template>(toolbox.artifacts, { sha256: digest }, `the ${name} of "${step.id}"`);
    return await stored(toolbox, `${step.id}.${name}`, scope.secrets.mask(render(template, scope)));
  };
  const members = await Promise.all(
    step.members.map(async ({ prompt, ...member }) => ({ ...member, ...defined({ prompt: await text(prompt, `${member.name}.prompt`) }) })),
  );
  const tasks =
    'list' in step.tasks
      ? await Promise.all(
          step.tasks.list.map(
            async ({ description, ...task }, i): Promise<NewTask> => ({
              ...task,
              ...defined({ description: await text(description, `task-${i + 1}`) }),
            }),
          ),
        )
      : await tasksOf(toolbox, step, scope.secrets.maskJson(evaluate(step.tasks.from, scope)));
  return { tasks, members };
}

function stored({ artifacts }: Pick<Toolbox, 'artifacts'>, name: string, text: string): Promise<ArtifactRef> {
  return artifacts.put(text, { mediaType: 'text/plain', name: `${name}.md` });
}

/** Tasks as a planner has listed them. Every problem is reported, with its place. */
async function tasksOf(toolbox: Toolbox, step: BoardStep, value: Json): Promise<NewTask[]> {
  const listed = isJsonObject(value) && Array.isArray(value['tasks']) ? value['tasks'] : value;
  if (!Array.isArray(listed)) throw badTasks(step, [`tasks is ${typeName(listed)}, not a list`]);
  if (listed.length > MOST_TASKS) throw badTasks(step, [`there are ${listed.length} tasks; at most ${MOST_TASKS} are allowed`]);
  const problems: string[] = [];
  const numbers = numbersIn(listed);
  const read = listed.map((item, i) => {
    refuseOtherKeys(item, `tasks[${i}]`, problems);
    return readTask(item, `tasks[${i}]`, numbers, problems);
  });
  if (problems.length > 0) throw badTasks(step, problems);
  return await Promise.all(
    read.map(async ({ description, ...task }, i): Promise<NewTask> => {
      if (description === undefined) return task;
      return { ...task, description: await stored(toolbox, `${step.id}.task-${i + 1}`, description) };
    }),
  );
}

function badTasks({ id }: BoardStep, problems: readonly string[]): ThermidorFailure {
  const more = problems.length > SHOWN ? [`and ${problems.length - SHOWN} more`] : [];
  const message = `step "${id}" cannot use its tasks: ${[...problems.slice(0, SHOWN), ...more].join('; ')}`;
  return new ThermidorFailure('board.bad-tasks', message, asJson({ step: id, problems: problems.slice(0, 100) }));
}
