import { spelledOf } from '../../compiler/read/json';
import { entryOf, type MappingNode } from '../../compiler/read/node';
import { readGate } from '../../compiler/shape/gate';
import { checkKeys, requireKey } from '../../compiler/shape/keys';
import type { ReadContext } from '../../compiler/shape/read-context';
import type { StepSource } from '../../compiler/shape/source';
import { templateAt } from '../../compiler/shape/template-value';
import { conflict, mappingOf, textOf } from '../../compiler/shape/values';
import { keysOf } from '../../compiler/shape/vocabulary';
import { setSpelled } from '../../plan/text/json-text';
import type { InputSource } from './source';

/** A gate at which a person answers with a value. */
export function readInput(node: MappingNode, _step: StepSource, { report }: ReadContext): InputSource {
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
  if (defaults) setSpelled(work, 'defaults', spelledOf(defaults.value));
  return work;
}
