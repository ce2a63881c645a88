import { TIMEOUT_OUTCOMES } from '../../plan/decision-policy';
import type { Report } from '../diagnostics/diagnostic';
import { jsonOf } from '../read/json';
import { type Entry, entryOf, type MappingNode } from '../read/node';
import { readActions } from './action';
import { checkKeys, requireKey } from './keys';
import { readPolicy, readWho } from './policy';
import type { ApprovalSource, GateSource, InputSource } from './source';
import { templateAt } from './template-value';
import { conflict, mappingOf, namesOf, textOf } from './values';
import { keysOf } from './vocabulary';

/** A gate at which a person says yes or no. */
export function readApproval(node: MappingNode, report: Report): ApprovalSource {
  const work: ApprovalSource = { kind: 'approval' };
  readGate(node, work, report);
  readPolicy(node, work, ['wait', ...TIMEOUT_OUTCOMES], report);
  const [preview, choices, onReject] = ['preview', 'choices', 'on_reject'].map((key) => entryOf(node, key));
  const beside = preview && textOf(preview, report) && templateAt(preview, report);
  if (beside) work.preview = beside;
  const answers = choices && readChoices(choices, report);
  if (answers) work.choices = answers;
  const rejected = onReject && readActions(onReject, 'on_reject', report);
  if (rejected) work.onReject = rejected;
  return work;
}

/** A gate at which a person answers with a value. */
export function readInput(node: MappingNode, report: Report): InputSource {
  const work: InputSource = { kind: 'input' };
  readGate(node, work, report);
  const [entry, stdin] = [entryOf(node, 'input'), entryOf(node, 'stdin')];
  const subject = stdin && templateAt(stdin, report, true);
  if (subject) work.subject = subject;
  requireKey(node, 'input', 'a step of kind "input"', report, 'add `input: {prompt: "…"}`');
  const body = entry && mappingOf(entry, report, 'a mapping such as {prompt: "…", responseSchema: {type: string}}');
  if (!body) return work;
  checkKeys(body, { what: '"input" of a step that asks a person', known: keysOf('input') }, report);
  requireKey(body, 'prompt', 'what a person is asked', report);
  const [prompt, camel, snake, defaults] = ['prompt', 'responseSchema', 'response_schema', 'defaults'].map((key) => entryOf(body, key));
  const question = prompt && textOf(prompt, report) && templateAt(prompt, report);
  if (question) work.prompt = question;
  if (camel && snake) conflict(camel, snake, report);
  const schema = camel ?? snake;
  if (schema) work.responseSchema = schema;
  if (defaults) work.defaults = jsonOf(defaults.value);
  return work;
}

function readGate(node: MappingNode, work: GateSource, report: Report): void {
  readWho(node, work, report);
  const [prompt, show] = ['prompt', 'show'].map((key) => entryOf(node, key));
  const question = prompt && textOf(prompt, report) && templateAt(prompt, report);
  if (question) work.prompt = question;
  const shown = show && namesOf(show, report);
  if (shown) work.show = shown;
}

const CHOICE = /^[A-Za-z][A-Za-z0-9_-]{0,63}$/;

function readChoices(entry: Entry, report: Report): string[] | undefined {
  const named = namesOf(entry, report);
  if (!named) return undefined;
  if (named.length === 0 && entry.value.kind === 'sequence' && entry.value.items.length === 0)
    report('shape.out-of-range', entry.value.at, '"choices" is empty: nothing could be answered', 'list the answers, or leave the key out');
  for (const { value, at } of named) {
    if (!CHOICE.test(value)) report('names.invalid', at, `"${value}" is no name for a choice`, 'write a word such as revise');
  }
  return named.length > 0 ? [...new Set(named.map(({ value }) => value))] : undefined;
}
