import { OPEN, type OutputShape } from '../../compiler/expression/output-shape';
import type { KindLowering } from '../../compiler/lower/kind-lowering';
import type { LoweredStep, StepContext } from '../../compiler/lower/step-context';
import { checkName } from '../../compiler/shape/names';
import type { WorkOf } from '../../compiler/shape/source';
import { subjectProblem, TASK_NAME, WHOLE_RESULT } from '../../plan/board/task';
import { defined } from '../../plan/defined';
import type { Template } from '../../plan/expressions/expression';
import type { TaskStep } from './model';

export const TASK_LOWERING: KindLowering<WorkOf<'task'>> = {
  lower: taskStep,
  output: ({ wait }) => (wait === false ? fields('id') : fields('id', 'status', 'owner', 'result', 'attempts', WHOLE_RESULT)),
};

function fields(...names: string[]): OutputShape {
  return { kind: 'fields', fields: new Map(names.map((name) => [name, OPEN])) };
}

function taskStep(work: WorkOf<'task'>, here: StepContext): LoweredStep | undefined {
  const { base, context, template } = here;
  const { team, requiredRole, priority, worktree, wait } = work;
  const subject = template(work.subject);
  const [description, name] = [template(work.description), template(work.name)];
  const isNamed = team && checkName(team, 'pipeline', context.report);
  const blockedBy = work.blockedBy?.map((one) => template(one)).filter((one) => one !== undefined);
  if (requiredRole?.value.includes('${'))
    context.report(
      'names.invalid',
      requiredRole.at,
      `"${requiredRole.value}" is taken as it is: no expression is evaluated here`,
      'write the name itself',
    );
  checkTexts(work, { subject, name }, here);
  if (!team || !isNamed || !subject) return undefined;
  const more = defined({ description, name, blockedBy, requiredRole: requiredRole?.value, priority, worktree });
  const task: TaskStep['task'] = { subject, ...more };
  return { step: { ...base, kind: 'task', team: team.value, task, ...defined({ endsTaken: wait === false || undefined }) } };
}

/** What has no expression is known before the run. */
function checkTexts(
  { node }: WorkOf<'task'>,
  { subject, name }: { subject: Template | undefined; name: Template | undefined },
  { place, context: { report } }: StepContext,
): void {
  const at = (key: string) => node.entries.find((entry) => entry.key === key)?.value.at ?? node.at;
  const line = literal(subject);
  const wrong = line === undefined ? undefined : subjectProblem(line.trim());
  if (wrong) report('task.bad-subject', at('subject'), `the subject of the task of "${place.step.id}" ${wrong.problem}`, wrong.hint);
  const called = literal(name)?.trim();
  if (called !== undefined && !TASK_NAME.test(called))
    report('names.invalid', at('name'), `"${called}" is not a valid name for a task`, 'names have 1 to 80 characters, and are no numbers');
}

function literal(template: Template | undefined): string | undefined {
  return template?.every((part) => typeof part === 'string') ? template.join('') : undefined;
}
