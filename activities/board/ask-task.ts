import {
  type AskTaskInput,
  noTeam,
  type TaskAnswer,
  type TaskAnswerInput,
  type TaskEnd,
  type TaskOutcome,
  type WithdrawTaskInput,
} from '../../plan/board/asked-task';
import { SHORT_CHARACTERS } from '../../plan/board/message';
import { DESCRIPTION_BYTES, type NewTask, numberIn, subjectProblem, TASK_NAME, WHOLE_RESULT } from '../../plan/board/task';
import { teamRunId } from '../../plan/board/team-run';
import { defined } from '../../plan/defined';
import { render } from '../../plan/expressions/evaluate';
import type { Template } from '../../plan/expressions/expression';
import type { AskedBy } from '../../plan/queue/ticket';
import { bug, ThermidorFailure } from '../../plan/run/failure';
import type { TaskStep } from '../../plan/steps/step';
import { shortened } from '../../plan/text/shortened';
import { readAsked, readTaken, readTaskOutcome, recordAsked, recordWithdrawal } from '../../records/asked-tasks';
import { asJson } from '../../records/stored-json';
import { type ActivityCall, requireAddress } from '../activity-call';
import { loadRun, stepAt } from '../run/load-run';
import { runSecrets } from '../run/run-secrets';
import { inputScope } from '../run/template-scope';
import type { Toolbox } from '../toolbox';
import { wholeText } from './whole-text';

/** A task that a run gives to a team: the side of the run that asks. Each call may run twice: what was recorded first counts. */

/** Fails with `task.no-team` if the team does not run, and with `task.refused` for a text that is no task. */
export async function askTask(toolbox: Toolbox, call: ActivityCall, input: AskTaskInput): Promise<TaskAnswer> {
  const { ledger } = toolbox;
  const step = await taskStep(toolbox, call);
  const asked = askedBy(call, input.name);
  const found = await readAsked(ledger, asked);
  const recorded = found ?? (await recordAsked(ledger, asked, { team: step.team, task: await rendered(toolbox, call, step, input) }));
  if (!recorded) throw new ThermidorFailure('task.refused', `the task of "${step.id}" was withdrawn before it was given to anybody`);
  if (!(await askTeam(toolbox, recorded.team, asked))) throw noTeam(recorded.team);
  return await answered(toolbox, call, asked);
}

export async function taskAnswer(toolbox: Toolbox, call: ActivityCall, { name, ask }: TaskAnswerInput): Promise<TaskAnswer> {
  const asked = askedBy(call, name);
  const found = await readAsked(toolbox.ledger, asked);
  if (!found) throw bug(`the ledger has no task "${name}"`);
  const answer = await answered(toolbox, call, asked);
  if (!ask || answer.end || (await askTeam(toolbox, found.team, asked))) return answer;
  return { ...answer, isAlone: true };
}

/** A task that is still on its way finds that it comes too late, and the team leaves out one that nobody has begun. */
export async function withdrawTask(toolbox: Toolbox, call: ActivityCall, { name }: WithdrawTaskInput): Promise<void> {
  const asked = askedBy(call, name);
  const found = await recordWithdrawal(toolbox.ledger, asked);
  if (!found || (await readTaskOutcome(toolbox.ledger, asked))) return;
  await toolbox.teamAsker?.ask(teamRunId(found.team), asked);
}

/** Whether the team runs. */
async function askTeam({ teamAsker }: Toolbox, team: string, asked: AskedBy): Promise<boolean> {
  if (!teamAsker) throw bug('this process has no way to ask teams');
  return await teamAsker.ask(teamRunId(team), asked);
}

/** The texts of the step, masked as in everything that other runs see. */
async function rendered(toolbox: Toolbox, call: ActivityCall, { id, task }: TaskStep, input: AskTaskInput): Promise<NewTask> {
  const scope = await inputScope(toolbox, await loadRun(toolbox, call.key), input, 'people');
  const text = (template: Template | undefined): string | undefined => template && scope.secrets.mask(render(template, scope)).trim();
  const { subject: _subject, description: _description, name: _name, blockedBy, ...rest } = task;
  const subject = text(task.subject) ?? '';
  const wrong = subjectProblem(subject);
  if (wrong) throw new ThermidorFailure('task.refused', `the subject of the task of "${id}" ${wrong.problem}: ${wrong.hint}`);
  const description = text(task.description) ?? '';
  const sizeBytes = Buffer.byteLength(description);
  if (sizeBytes > DESCRIPTION_BYTES) {
    const limit = `at most ${DESCRIPTION_BYTES} are allowed: store it, and name it in the description`;
    throw new ThermidorFailure('task.refused', `the description of the task of "${id}" has ${sizeBytes} bytes; ${limit}`);
  }
  const stored =
    description === '' ? undefined : await toolbox.artifacts.put(description, { mediaType: 'text/plain', name: `${id}.task.md` });
  const blockers = blockedBy?.map((one) => text(one) ?? '');
  const nameless = blockers?.find((one) => numberIn(one) === undefined && !TASK_NAME.test(one));
  if (nameless !== undefined) {
    const said = `"blocked_by" of "${id}" has "${shortened(nameless, SHORT_CHARACTERS)}", which is no name of a task and no number`;
    throw new ThermidorFailure('task.refused', said);
  }
  return { ...rest, subject, ...defined({ name: text(task.name), description: stored, blockedBy: blockers }) };
}

async function answered(toolbox: Toolbox, call: ActivityCall, asked: AskedBy): Promise<TaskAnswer> {
  const { ledger } = toolbox;
  const outcome = await readTaskOutcome(ledger, asked);
  const end = outcome && (await endOf(toolbox, call, outcome));
  return defined({ id: await readTaken(ledger, asked), end });
}

/** A long result goes from the store into the output, and not through the run. */
async function endOf(toolbox: Toolbox, call: ActivityCall, outcome: TaskOutcome): Promise<TaskEnd> {
  if (outcome.kind !== 'completed') return outcome;
  const { artifacts } = toolbox;
  const { id, owner = null, attempts, result } = outcome;
  const said = (shown: string | null) => ({ id, status: 'completed', owner, result: shown, attempts });
  if (!result?.whole) return { kind: 'completed', output: said(result?.text ?? null) };
  const run = await loadRun(toolbox, call.key);
  const text = (await runSecrets(toolbox, run)).mask(await wholeText(artifacts, result.whole));
  const whole = await artifacts.put(text, { mediaType: 'text/plain', name: `${stepAt(run, requireAddress(call)).id}.result.md` });
  return { kind: 'completed', output: { ...said(shortened(text, SHORT_CHARACTERS)), [WHOLE_RESULT]: asJson(whole) } };
}

async function taskStep(toolbox: Toolbox, call: ActivityCall): Promise<TaskStep> {
  const step = stepAt(await loadRun(toolbox, call.key), requireAddress(call));
  if (!('task' in step)) throw bug(`step "${step.id}" gives no task`);
  return step;
}

function askedBy({ key }: ActivityCall, name: string): AskedBy {
  return { ...key, name };
}
