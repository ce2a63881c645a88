import { hasBoard } from '../../kinds/questions';
import type { OpenedBoard } from '../../plan/board/board-activities';
import { DESCRIPTION_BYTES, type NewTask, numberIn, subjectProblem, type TaskRef } from '../../plan/board/task';
import { defined } from '../../plan/defined';
import { evaluate, render } from '../../plan/expressions/evaluate';
import type { Template } from '../../plan/expressions/expression';
import type { ArtifactRef, Sha256 } from '../../plan/run/artifact';
import { bug, ThermidorFailure } from '../../plan/run/failure';
import type { BoardStep } from '../../plan/steps/step';
import type { StepInput } from '../../plan/steps/step-activity';
import { field, isJsonObject, type Json, type JsonObject } from '../../plan/text/json';
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
  const numbers = new Set(listed.flatMap((item) => numberIn(nameIn(item)) ?? []));
  const read = listed.map((item, i) => readTask(item, `tasks[${i}]`, numbers, problems));
  if (problems.length > 0) throw badTasks(step, problems);
  return await Promise.all(
    read.map(async ({ description, ...task }, i): Promise<NewTask> => {
      if (description === undefined) return task;
      return { ...task, description: await stored(toolbox, `${step.id}.task-${i + 1}`, description) };
    }),
  );
}

type ReadTask = Omit<NewTask, 'description'> & { description?: string };

/** @param numbers those that the list itself gives to its tasks */
function readTask(item: Json, at: string, numbers: ReadonlySet<number>, problems: string[]): ReadTask {
  if (!isJsonObject(item)) {
    problems.push(`${at} is ${typeName(item)}, not a mapping with a subject`);
    return { subject: '' };
  }
  const subject = textAt(item, at, ['subject', 'title'], problems);
  const oneLine = subject?.trim() ?? '';
  const wrong = subjectProblem(oneLine);
  if (wrong !== undefined) problems.push(`${at}.subject ${wrong}`);
  const description = textAt(item, at, ['description'], problems);
  if (description !== undefined && Buffer.byteLength(description) > DESCRIPTION_BYTES)
    problems.push(`${at}.description is larger than ${DESCRIPTION_BYTES / 1024} KiB: store it, and name it in the description`);
  return {
    subject: oneLine,
    ...defined({
      name: nameAt(item, at, problems),
      description,
      blockedBy: blockersAt(item, at, numbers, problems),
      requiredRole: textAt(item, at, ['required_role', 'requiredRole'], problems),
      priority: priorityAt(item, at, problems),
    }),
  };
}

function textAt(item: JsonObject, at: string, keys: readonly string[], problems: string[]): string | undefined {
  const key = keys.find((one) => item[one] !== undefined && item[one] !== null);
  const value = key === undefined ? undefined : item[key];
  if (value === undefined || typeof value === 'string') return value;
  problems.push(`${at}.${key} is ${typeName(value ?? null)}, not a text`);
  return undefined;
}

function nameIn(item: Json): Json | undefined {
  return field(item, 'name') ?? field(item, 'id') ?? undefined;
}

/** A planner numbers its tasks as often as it names them; the board has numbers of its own. */
function nameAt(item: JsonObject, at: string, problems: string[]): string | undefined {
  const number = numberIn(nameIn(item));
  return number === undefined ? textAt(item, at, ['name', 'id'], problems)?.trim() : nameOf(number);
}

function nameOf(number: number): string {
  return `task-${number}`;
}

/** A number that the list has not given is that of the board, which counts from the first task of the list. */
function blockersAt(item: JsonObject, at: string, numbers: ReadonlySet<number>, problems: string[]): TaskRef[] | undefined {
  const key = item['blocked_by'] === undefined ? 'blockedBy' : 'blocked_by';
  const value = item[key] ?? undefined;
  if (value === undefined) return undefined;
  const listed = Array.isArray(value) ? value : [value];
  const refs = listed.flatMap((one): TaskRef[] => {
    const number = numberIn(one);
    if (number !== undefined && numbers.has(number)) return [nameOf(number)];
    return number !== undefined ? [number] : typeof one === 'string' ? [one.trim()] : [];
  });
  if (refs.length < listed.length) problems.push(`${at}.${key} has something that is no name or number of a task`);
  return refs.length === 0 ? undefined : refs;
}

function priorityAt({ priority }: JsonObject, at: string, problems: string[]): number | undefined {
  if (priority === undefined || priority === null) return undefined;
  if (typeof priority === 'number') return priority;
  problems.push(`${at}.priority is ${typeName(priority)}, not a number`);
  return undefined;
}

function typeName(value: Json): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'a list' : typeof value === 'object' ? 'a mapping' : `a ${typeof value}`;
}

function badTasks({ id }: BoardStep, problems: readonly string[]): ThermidorFailure {
  const more = problems.length > SHOWN ? [`and ${problems.length - SHOWN} more`] : [];
  const message = `step "${id}" cannot use its tasks: ${[...problems.slice(0, SHOWN), ...more].join('; ')}`;
  return new ThermidorFailure('board.bad-tasks', message, asJson({ step: id, problems: problems.slice(0, 100) }));
}
