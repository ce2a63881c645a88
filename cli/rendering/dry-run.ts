import { DESCRIPTIONS } from '../../kinds/descriptions';
import { describeBudget } from '../../plan/budgets/budget-words';
import { afterApprovalFacts } from '../../plan/steps/description-parts';
import { jsonText } from '../../plan/text/json-text';
import type { DryRun, DryStep } from '../dry-run/dry-run-model';
import type { Colors } from '../terminal';
import { describeCategoryPolicy, describeEmits, describePolicies } from './policy';
import { manyLines, oneLine } from './text/printable';

/** What a run would do, for people: one numbered line for each step, details below it, inner steps further in. */
export function renderDryRun(run: DryRun, colors: Colors): string {
  const lines = [`${colors.bold(run.pipeline)}  ${colors.yellow('dry run: nothing is started')}`];
  if (run.description !== undefined) lines.push(`  ${oneLine(run.description)}`);
  const fact = (name: string, value: string | undefined): void => {
    if (value !== undefined && value !== '') lines.push(`  ${colors.dim(`${name}:`)} ${value}`);
  };
  const args = Object.entries(run.args).map(([name, value]) => `${name} = ${oneLine(jsonText(value))}`);
  fact('args', args.join(', '));
  fact('script', run.script && `"${oneLine(run.script)}" plays the agents`);
  fact('commands get', `${environmentOf(run)}, and the variables below`);
  fact('budget', run.budget && describeBudget(run.budget));
  for (const [category, policy] of Object.entries(run.requiresApproval ?? {}))
    fact(`approval of ${category}`, describeCategoryPolicy(policy));
  fact('at once', `at most ${run.concurrent} steps; those with the same number may run side by side`);
  for (const problem of run.problems) lines.push(`  ${colors.red('!')} ${problem}`);
  lines.push('', ...run.steps.flatMap((step) => stepLines(step, '', colors)));
  if (run.finally !== undefined) {
    lines.push('', colors.bold('finally, whatever happened'), ...run.finally.flatMap((step) => stepLines(step, '', colors)));
  }
  return `${lines.join('\n')}\n`;
}

function environmentOf({ environment }: DryRun): string {
  return environment === 'caller'
    ? 'the environment of the person who starts the run'
    : `${environment.join(', ')} of their worker, LC_ALL=C`;
}

function stepLines(step: DryStep, indent: string, colors: Colors): string[] {
  const begin = `${indent}${step.turn}. ${colors.cyan(step.id)}`;
  if (step.skipped !== undefined) {
    const when = step.when === undefined ? '' : `: ${oneLine(step.when.text)}`;
    return [`${begin}  ${colors.dim(`skipped, because ${step.skipped}${when}`)}`];
  }
  const inner = `${indent}   `;
  const lines = [`${begin}  ${oneLine(DESCRIPTIONS[step.does.kind].line(step.does))}`];
  for (const detail of detailsOf(step)) lines.push(`${inner}${colors.dim(detail)}`);
  for (const { name, text } of DESCRIPTIONS[step.does.kind].facts(step.does)) lines.push(...block(name, text, inner, colors));
  if (step.approval !== undefined) {
    const { question, requiredApprover } = step.approval;
    const who = requiredApprover === undefined ? 'a person' : oneLine(requiredApprover);
    lines.push(`${inner}${colors.yellow('?')} then ${who} approves${question === undefined ? '' : `: ${oneLine(question)}`}`);
    for (const { name, text } of afterApprovalFacts(step.approval)) lines.push(...block(name, text, `${inner}  `, colors));
  }
  lines.push(...(step.steps ?? []).flatMap((one) => stepLines(one, inner, colors)));
  if (step.finally !== undefined) {
    lines.push(`${inner}${colors.bold('finally, whatever happened')}`, ...step.finally.flatMap((one) => stepLines(one, inner, colors)));
  }
  return lines;
}

function detailsOf(step: DryStep): string[] {
  const details: string[] = [];
  if (step.description !== undefined) details.push(oneLine(step.description));
  if (step.after !== undefined) details.push(`after ${step.after.join(', ')}`);
  if (step.awaits !== undefined) details.push(`after ${step.awaits.join(', ')} of another branch`);
  if (step.when !== undefined) details.push(`when ${oneLine(step.when.text)}${step.when.value === undefined ? '' : ' (which holds)'}`);
  if (step.emits) details.push(describeEmits(step.emits));
  return [...details, ...describePolicies(step, DESCRIPTIONS[step.does.kind].each)];
}

/** One line next to its name, several below it. */
function block(name: string, text: string, indent: string, colors: Colors): string[] {
  const lines = manyLines(text.replace(/\n$/, '')).split('\n');
  if (lines.length === 1) return [`${indent}${colors.dim(`${name}:`)} ${lines[0]}`];
  return [`${indent}${colors.dim(`${name}:`)}`, ...lines.map((line) => `${indent}  ${colors.dim('│')} ${line}`.trimEnd())];
}
