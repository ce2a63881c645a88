import { defined } from '../defined';
import type { Template } from '../expressions/expression';
import { mustApprove } from '../people/quorum';
import { duration } from '../text/duration';
import { describeActions } from './action';
import type { Fact, ShownGate, ShownPlace, ShownRunBy, Words } from './description';
import type { AfterApproval, GatedStep, OutputSpec } from './step-base';

/** The common parts of several kinds' descriptions. */

/** A fact; none if there is nothing to say. */
export function fact(name: string, text: string | undefined | false): Fact[] {
  return text === undefined || text === false || text === '' ? [] : [{ name, text }];
}

export function jsonFact(name: string, value: unknown): Fact[] {
  return fact(name, value === undefined ? undefined : JSON.stringify(value));
}

/** The name of its output, as the end of a line. */
export function outputFacts({ output }: { output?: string }): string {
  return output === undefined ? '' : ` → ${output}`;
}

export function outputData({ output }: { output?: OutputSpec }, { blob }: Words): Pick<ShownPlace, 'output' | 'schema'> {
  const schema = output?.schema === undefined ? undefined : blob(output.schema);
  return defined({ output: output?.name, schema });
}

/** ` (adapter x, model y)`; empty if that is not known. */
export function adapterFacts({ adapter, model, modelAlias }: ShownRunBy): string {
  if (adapter === undefined) return '';
  const named = modelAlias === undefined ? '' : ` as "${modelAlias}"`;
  return ` (adapter ${adapter}${model === undefined ? '' : `, model ${model}${named}`})`;
}

interface Placed {
  cwd?: Template;
  env?: Record<string, Template>;
  stdin?: Template;
  output?: OutputSpec;
}

export function placeData(step: Placed, words: Words): ShownPlace {
  const place: ShownPlace = outputData(step, words);
  if (step.cwd) place.cwd = words.text(step.cwd);
  if (step.env) place.env = Object.fromEntries(Object.entries(step.env).map(([name, template]) => [name, words.text(template)]));
  if (step.stdin) place.stdin = words.text(step.stdin);
  return place;
}

export function placeFacts({ cwd, env, stdin, schema }: ShownPlace): Fact[] {
  return [
    ...fact('cwd', cwd),
    ...Object.entries(env ?? {}).map(([name, text]) => ({ name: `env ${name}`, text })),
    ...fact('stdin', stdin),
    ...jsonFact('schema', schema),
  ];
}

/** The data of every gate that is a step. */
export function gateData(step: GatedStep, words: Words): ShownGate {
  return {
    ...defined({
      question: step.prompt && words.readable(step.prompt),
      channel: step.channel,
      approvers: step.approvers,
      show: step.show,
      identity: step.identity,
      remindMs: step.remindMs,
    }),
  };
}

/** The data of the approval after a step's work. */
export function afterApprovalData(approval: AfterApproval, words: Words): ShownGate {
  const { prompt, items, preview, initiatedBy, requiredApprover, requireDifferentApprover, onReject } = approval;
  return {
    ...defined({ question: prompt && words.readable(prompt) }),
    choices: ['approve', 'reject'],
    ...defined({
      items: items && words.readable(items),
      preview: preview && words.readable(preview),
      initiatedBy: initiatedBy && words.text(initiatedBy),
      requiredApprover: requiredApprover && words.text(requiredApprover),
      requireDifferentApprover,
      onReject,
    }),
  };
}

/** Who decides, and in which channel, as the end of a line. */
export function channelOfGate({ channel, approvers }: ShownGate): string {
  return `${channel === undefined ? '' : ` in ${channel}`}${approvers ? `: ${approvers.join(', ')}` : ''}`;
}

export function gateFacts(gate: ShownGate): Fact[] {
  const { question, show, preview, subject, fourEyes, identity, comment, choices, remindMs, onTimeout, onReject } = gate;
  return [
    ...fact('asks', question),
    ...fact('shows', show?.join(', ')),
    ...fact('preview', preview),
    ...fact('about', subject),
    ...fact('choices', choices?.filter((choice) => choice !== 'respond').join(', ')),
    ...fact('quorum', mustApprove(gate)),
    ...fact('four eyes', fourEyes && 'neither the owner nor the person who started the run'),
    ...fact('identity', identity && 'must be proven'),
    ...fact('comment', comment && (comment === 'always' ? 'always needed' : 'needed for a rejection')),
    ...jsonFact('schema', gate.responseSchema),
    ...jsonFact('offers', gate.defaults),
    ...fact('when time is up', onTimeout),
    ...fact('reminds', remindMs === undefined ? undefined : `every ${duration(remindMs)}`),
    ...fact('on reject', onReject && describeActions(onReject)),
  ];
}

/** The facts of an approval after a step's work, apart from its question and its approvers. */
export function afterApprovalFacts({ items, preview, initiatedBy, requireDifferentApprover, onReject }: ShownGate): Fact[] {
  return [
    ...fact('items', items),
    ...fact('preview', preview),
    ...fact('started by', initiatedBy),
    ...fact('approver', requireDifferentApprover && 'somebody other than the person who started the run'),
    ...fact('on reject', onReject && describeActions(onReject)),
  ];
}

/** Facts of a label, with commas between them. */
export function stepLabel(list: readonly (string | false | undefined)[]): string | undefined {
  const text = list.filter((one) => one !== undefined && one !== false).join(', ');
  return text === '' ? undefined : text;
}

export function parallelism(most: number | undefined): string | false {
  return most !== undefined && most > 1 && `${most} at once`;
}

/** A graph adds nothing: the id says it. */
export function noLabel(): undefined {
  return undefined;
}
