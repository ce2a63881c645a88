import { DESCRIPTIONS } from '../../kinds/descriptions';
import { asksAgent } from '../../kinds/questions';
import { requestLimits } from '../../plan/budgets/request-limits';
import { defined } from '../../plan/defined';
import { isTemplate, type Path } from '../../plan/expressions/expression';
import { writeExpr, writePath, writeTemplate } from '../../plan/expressions/write-expression';
import { DEFAULT_TURNS } from '../../plan/plan';
import type { Fact, Words } from '../../plan/steps/description';
import { afterApprovalData, afterApprovalFacts } from '../../plan/steps/description-parts';
import type { AfterApproval, Step } from '../../plan/steps/step';
import type { Json } from '../../plan/text/json';
import { describeEmits, describePolicies } from './policy';
import { oneLine, truncate } from './text/printable';

/** Reads a blob that a plan names by digest, as JSON; undefined if it is not available. */
export type ReadBlob = (sha256: string) => Json | undefined;

/** What limits the requests of an agent's step: `retries_per_step` of the budgets around it, and whether it is a member's work. */
interface Around {
  retryCeilings: readonly number[];
  isOnBoard: boolean;
}

/** A step on one line, and everything else that the plan says of it, one line each; inner steps are not included. */
export function describeStep(step: Step, around: Around, blob: ReadBlob): { line: string; details: string[] } {
  const { data, line, facts } = DESCRIPTIONS[step.kind];
  const words = writtenWords(step, blob);
  const shown = data(step, words);
  return { line: oneLine(line(shown)), details: detailsOf(step, facts(shown), around, words) };
}

function detailsOf(step: Step, facts: readonly Fact[], around: Around, words: Words): string[] {
  const details: string[] = [];
  if (step.description !== undefined) details.push(oneLine(step.description));
  if (step.after !== undefined && step.after.length > 0) details.push(`after ${step.after.join(', ')}`);
  if (step.awaits !== undefined) details.push(`after ${step.awaits.join(', ')} of another branch`);
  if (step.when !== undefined) details.push(`when ${oneLine(writeExpr(step.when))}`);
  if (step.emits) details.push(describeEmits(step.emits));
  if (step.chained) details.push('in one activity with the step before it');
  details.push(...facts.map(factLine));
  const { summary, ...policies } = step;
  details.push(...describePolicies({ ...policies, ...defined({ summary: summary && words.text(summary) }) }, DESCRIPTIONS[step.kind].each));
  details.push(...requestsOf(step, around));
  if (step.approval) details.push(...approvalLines(step.approval, words));
  if ('itemReads' in step && step.itemReads !== undefined && step.itemReads.length > 0)
    details.push(`of each item, controls the run by: ${step.itemReads.map(describeRead).join(', ')}`);
  if (step.reads !== undefined && step.reads.length > 0) details.push(`controls the run by: ${step.reads.map(describeRead).join(', ')}`);
  if (step.readsStdout) details.push('controls the run by: its stdout');
  if (step.inputs !== undefined && step.inputs.length > 0) details.push(`reads the outputs of ${step.inputs.join(', ')}`);
  return details;
}

/** All details as the file has them. */
function writtenWords(step: Step, blob: ReadBlob): Words {
  const prompt = 'prompt' in step && typeof step.prompt === 'string' ? blob(step.prompt) : undefined;
  return {
    text: writeTemplate,
    readable: writeTemplate,
    shell: writeTemplate,
    value: writeTemplate,
    expression: writeExpr,
    count: () => undefined,
    blob,
    request: () => (isTemplate(prompt) ? { prompt: writeTemplate(prompt) } : {}),
    runBy: () => ({}),
  };
}

function factLine({ name, text }: Fact): string {
  return `${name}: ${truncate(oneLine(text), SHOWN)}`;
}

function approvalLines(approval: AfterApproval, words: Words): string[] {
  const shown = afterApprovalData(approval, words);
  const { question, requiredApprover = 'a person' } = shown;
  const asks = question === undefined ? '' : `: ${truncate(oneLine(question), SHOWN)}`;
  return [`then ${oneLine(requiredApprover)} approves${asks}`, ...afterApprovalFacts(shown).map(factLine)];
}

function requestsOf(step: Step, { retryCeilings, isOnBoard }: Around): string[] {
  if (!asksAgent(step)) return [];
  const { tries, requests } = requestLimits(step, retryCeilings);
  // Whatever a member says, its work needs no repair.
  if (isOnBoard)
    return [`at most ${step.turns ?? DEFAULT_TURNS} replies in each turn of a member, and ${tries} tries of a turn that fails`];
  return [`at most ${requests} requests a round: ${tries} tries × ${requests / tries}, turns with tools not counted`];
}

/** `[]` is the whole output. */
function describeRead(path: Path): string {
  return path.length === 0 ? 'the whole' : writePath(path).replace(/^\./, '');
}

const SHOWN = 100;
