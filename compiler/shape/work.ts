import type { StepKind } from '../../plan/step';
import { unreachable } from '../../plan/unreachable';
import type { Report } from '../diagnostics/diagnostic';
import { type Entry, entryOf, type MappingNode } from '../read/node';
import { readActions } from './action';
import { readAgent } from './agent-work';
import { checkKeys, requireKey } from './keys';
import { readOutput } from './output';
import type { ApprovalSource, CommandSource, NotifySource, WaitSource, WorkSource } from './source';
import { templateAt } from './template-value';
import { durationOf, mappingOf, namesOf, sequenceOf, textOf, wordOf } from './values';

/** Reads what a step of a kind does: the keys that only this kind has. */
export function readWork(kind: StepKind, node: MappingNode, report: Report): WorkSource {
  switch (kind) {
    case 'agent':
    case 'review':
      return readAgent(kind, node, report);
    case 'command':
      return readCommand(node, report);
    case 'approval':
      return readApproval(node, report);
    case 'notify':
      return readNotify(node, report);
    case 'wait':
      return readWait(node, report);
    default:
      return unreachable(kind);
  }
}

function readCommand(node: MappingNode, report: Report): CommandSource {
  const get = (key: string): Entry | undefined => entryOf(node, key);
  const work: CommandSource = { kind: 'command' };
  const shell = get('run') ?? get('command');
  const argv = get('argv');
  if (shell) {
    const template = textOf(shell, report) && templateAt(shell, report);
    if (template) work.command = { shell: template };
  } else if (argv) {
    const items = sequenceOf(argv, report, 'a list of words')?.items ?? [];
    if (argv.value.kind === 'sequence' && items.length === 0)
      report('shape.out-of-range', argv.value.at, '"argv" is empty', 'write the program and its arguments');
    work.command = { argv: items.map((item) => templateAt({ ...argv, value: item }, report) ?? []) };
  } else requireKey(node, 'run', 'a step of kind "command"', report, 'add `run:` or `argv:`');
  const [cwd, env, stdin] = [get('cwd'), get('env'), get('stdin')];
  const folder = cwd && textOf(cwd, report) && templateAt(cwd, report);
  if (folder) work.cwd = folder;
  const text = stdin && templateAt(stdin, report, true);
  if (text) work.stdin = text;
  if (env) {
    work.env = new Map();
    for (const item of mappingOf(env, report, 'a mapping of variables to texts')?.entries ?? []) {
      const value = templateAt(item, report);
      if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(item.key))
        report('names.invalid', item.keyAt, `"${item.key}" is no name for a variable`, 'write letters, digits and "_"');
      else if (value) work.env.set(item.key, value);
    }
  }
  readOutput(node, work, report);
  return work;
}

function readApproval(node: MappingNode, report: Report): ApprovalSource {
  const get = (key: string): Entry | undefined => entryOf(node, key);
  const work: ApprovalSource = { kind: 'approval' };
  const [channel, prompt, show, approvers, onTimeout, onReject] = ['channel', 'prompt', 'show', 'approvers', 'on_timeout', 'on_reject'].map(
    get,
  );
  const where = channel && textOf(channel, report);
  if (where) work.channel = where;
  const question = prompt && textOf(prompt, report) && templateAt(prompt, report);
  if (question) work.prompt = question;
  const shown = show && namesOf(show, report);
  if (shown) work.show = shown;
  const people = approvers && namesOf(approvers, report);
  if (approvers?.value.kind === 'sequence' && approvers.value.items.length === 0) {
    report('shape.out-of-range', approvers.value.at, '"approvers" is empty: nobody could decide', 'name somebody, or leave the key out');
  }
  if (people && people.length > 0) work.approvers = [...new Set(people.map((person) => person.value))];
  const word = onTimeout && readOnTimeout(onTimeout, report);
  if (word) work.onTimeout = word;
  if (onTimeout && !get('timeout') && !get('timeout_ms')) {
    report('shape.missing-key', onTimeout.keyAt, '"on_timeout" stands without a "timeout"', 'add `timeout: 24h`');
  }
  const rejected = onReject && readActions(onReject, 'on_reject', report);
  if (rejected) work.onReject = rejected;
  return work;
}

function readOnTimeout(entry: Entry, report: Report): 'approve' | 'reject' | undefined {
  if (entry.value.kind === 'scalar' && /^(?:escalate\b.*|conservative)$/.test(entry.value.text)) {
    report(
      'language.unsupported',
      entry.value.at,
      `"on_timeout: ${entry.value.text}" is not supported yet`,
      'write wait, approve or reject',
    );
    return undefined;
  }
  const word = wordOf(entry, ['wait', 'approve', 'reject'], report)?.value;
  return word === 'wait' ? undefined : word;
}

function readNotify(node: MappingNode, report: Report): NotifySource {
  const work: NotifySource = { kind: 'notify' };
  const entry = entryOf(node, 'notify');
  requireKey(node, 'notify', 'a step of kind "notify"', report, 'add `notify: {channel: "#updates", message: "…"}`');
  const body = entry && mappingOf(entry, report, 'a mapping {channel, message}');
  if (!body) return work;
  checkKeys(body, { what: 'a notification', known: ['channel', 'message'], later: ['report'] }, report);
  requireKey(body, 'channel', 'the notification', report);
  requireKey(body, 'message', 'the notification', report);
  const [channel, message] = [entryOf(body, 'channel'), entryOf(body, 'message')];
  const where = channel && textOf(channel, report);
  if (where) work.channel = where;
  const template = message && textOf(message, report) && templateAt(message, report);
  if (template) work.message = template;
  return work;
}

function readWait(node: MappingNode, report: Report): WaitSource {
  const work: WaitSource = { kind: 'wait' };
  const entry = entryOf(node, 'wait');
  requireKey(node, 'wait', 'a step of kind "wait"', report, 'add `wait: 10m`');
  if (entry?.value.kind === 'mapping') {
    report('language.unsupported', entry.value.at, '"wait" with conditions is not supported yet', 'write a duration, such as `wait: 10m`');
    return work;
  }
  const forMs = entry && durationOf(entry, report);
  if (forMs !== undefined) work.forMs = forMs;
  return work;
}
