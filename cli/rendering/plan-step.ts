import type { Path } from '../../plan/expression';
import { describeQuorum, type Join, joinOf, mustApprove } from '../../plan/quorum';
import { mostRequests } from '../../plan/requests';
import type { AgentStep, ApprovalStep, CommandStep, InputStep, ReviewStep, Step, WaitStep } from '../../plan/step';
import { unreachable } from '../../plan/unreachable';
import { describeActions } from './action';
import { writeExpr, writePath, writeTemplate } from './expression';
import { describeIdentity, describePolicies, FOUR_EYES } from './policy';
import { oneLine, truncate } from './printable';
import { describeStages } from './stages';
import { duration } from './time';

/** What a step is, on one line. */
export function describeStep(step: Step): string {
  switch (step.kind) {
    case 'agent':
      return `agent ${step.agent}${step.action === 'self' ? ' (in its own context)' : ''}${into(step)}`;
    case 'review':
      return `review of ${step.of} by ${step.agent}${step.critic === undefined ? '' : `, second opinion by ${step.critic}`}${into(step)}`;
    case 'command':
      return `${describeCommand(step)}${into(step)}`;
    case 'stages':
      return `pipe ${short(describeStages(step.stages))}${into(step)}`;
    case 'approval':
      return `a person decides${where(step)}`;
    case 'input':
      return `a person gives a value${where(step)}`;
    case 'notify':
      return `notify ${step.channel}: ${short(writeTemplate(step.message))}`;
    case 'wait':
      return describeWait(step);
    case 'parallel':
      return `${step.branches.length} branches side by side: ${describeJoin(joinOf(step))}`;
    case 'group':
      return 'a branch of several steps';
    case 'for_each':
      return `for each ${step.itemVar ?? 'item'} of ${writeExpr(step.items)}`;
    case 'pipeline':
      return `pipeline ${step.pipeline} as a run of its own`;
    default:
      return unreachable(step);
  }
}

/** Everything else that the plan says of it, a line each; what is within it is not among them. */
export function stepDetails(step: Step, retryCeilings: readonly number[]): string[] {
  const details: string[] = [];
  if (step.after !== undefined && step.after.length > 0) details.push(`after ${step.after.join(', ')}`);
  if (step.when !== undefined) details.push(`when ${writeExpr(step.when)}`);
  if (step.chained) details.push('in one activity with the command before it');
  details.push(...ofKind(step), ...describePolicies(step), ...requestsOf(step, retryCeilings));
  if (step.approval) details.push(`then a person approves${step.approval.prompt ? `: ${short(writeTemplate(step.approval.prompt))}` : ''}`);
  if (step.reads !== undefined && step.reads.length > 0) details.push(`controls the run by: ${step.reads.map(describeRead).join(', ')}`);
  if (step.readsStdout) details.push('controls the run by: its stdout');
  if (step.inputs !== undefined && step.inputs.length > 0) details.push(`reads the outputs of ${step.inputs.join(', ')}`);
  return details;
}

function ofKind(step: Step): string[] {
  switch (step.kind) {
    case 'agent':
      return agentDetails(step);
    case 'review':
      return [
        ...agentDetails(step),
        ...(step.onRevise ? [`on revise: retry ${step.onRevise.step}, at most ${step.onRevise.max}`] : []),
        ...(step.onBlock ? [`on block: ${describeActions(step.onBlock)}`] : []),
        ...(step.stallRounds === undefined ? [] : [`stops when findings do not go down for ${step.stallRounds} rounds`]),
      ];
    case 'approval':
    case 'input':
      return gateDetails(step);
    case 'parallel':
      return [
        ...(step.maxConcurrent === undefined ? [] : [`${step.maxConcurrent} at once`]),
        ...(step.merge ? [`${step.merge.how} of the branches' lists, the same where ${step.merge.key} is`] : []),
      ];
    case 'for_each':
      return [
        step.maxConcurrent === undefined || step.maxConcurrent === 1 ? 'one item after the other' : `${step.maxConcurrent} items at once`,
        ...(step.pauseMs === undefined ? [] : [`a pause of ${duration(step.pauseMs)} after every ${step.batchSize ?? 1}`]),
        ...(step.itemReads === undefined || step.itemReads.length === 0
          ? []
          : [`of each item, controls the run by: ${step.itemReads.map(describeRead).join(', ')}`]),
      ];
    default:
      return [];
  }
}

function requestsOf(step: Step, retryCeilings: readonly number[]): string[] {
  if (step.kind !== 'agent' && step.kind !== 'review') return [];
  const { tries, requests } = mostRequests(step, retryCeilings);
  return [`at most ${requests} requests a round: ${tries} tries × ${requests / tries}, turns with tools not counted`];
}

function agentDetails({ tools, cwd }: AgentStep | ReviewStep): string[] {
  return [
    ...(tools === undefined ? [] : [`has of its tools ${tools.length > 0 ? tools.join(', ') : 'none'}`]),
    ...(cwd === undefined ? [] : [`works in ${short(writeTemplate(cwd))}`]),
  ];
}

function gateDetails(step: ApprovalStep | InputStep): string[] {
  const lines: string[] = [];
  if (step.prompt) lines.push(`asks: ${short(writeTemplate(step.prompt))}`);
  if (step.show !== undefined && step.show.length > 0) lines.push(`shows ${step.show.join(', ')}`);
  if (step.kind === 'approval') {
    if (step.choices !== undefined) lines.push(`choices: ${step.choices.join(', ')}`);
    const agreed = mustApprove(step);
    if (agreed !== undefined) lines.push(agreed);
    if (step.fourEyes) lines.push(FOUR_EYES);
    if (step.timeoutMs !== undefined) lines.push(`when time is up: ${step.onTimeout ?? 'wait on'}`);
    if (step.onReject) lines.push(`on reject: ${describeActions(step.onReject)}`);
  } else if (step.defaults !== undefined) lines.push(`offers ${short(JSON.stringify(step.defaults))}`);
  lines.push(...describeIdentity(step));
  if (step.remindMs !== undefined) lines.push(`reminds every ${duration(step.remindMs)}`);
  return lines;
}

function describeCommand({ command }: CommandStep): string {
  return 'shell' in command
    ? `shell ${short(writeTemplate(command.shell))}`
    : `command ${short(command.argv.map(writeTemplate).join(' '))}`;
}

function describeWait({ forMs, until, signal }: WaitStep): string {
  if (signal !== undefined) return `wait for the signal ${signal}`;
  if (until !== undefined) return `wait until ${writeExpr(until)}`;
  return `wait ${duration(forMs ?? 0)}`;
}

export function describeJoin(join: Join): string {
  if (join === 'all') return 'all must give a result';
  return join === 'any' ? 'the first to end decides' : `${describeQuorum(join.needed, join.of)} must give a result`;
}

function where({ channel, approvers }: ApprovalStep | InputStep): string {
  return `${channel === undefined ? '' : ` in ${channel}`}${approvers ? `: ${approvers.join(', ')}` : ''}`;
}

function into({ output }: { output?: { name: string } }): string {
  return output === undefined ? '' : ` → ${output.name}`;
}

/** `[]` is the whole output. */
function describeRead(path: Path): string {
  return path.length === 0 ? 'the whole' : writePath(path).replace(/^\./, '');
}

const SHOWN = 100;

function short(text: string): string {
  return truncate(oneLine(text), SHOWN);
}
