import type { Report } from '../../compiler/diagnostics/diagnostic';
import { type Entry, entryOf, type MappingNode } from '../../compiler/read/node';
import { formAt } from '../../compiler/shape/form';
import { requireKey } from '../../compiler/shape/keys';
import type { ReadContext } from '../../compiler/shape/read-context';
import type { StepSource } from '../../compiler/shape/source';
import { templateAt } from '../../compiler/shape/template-value';
import { mappingOf, sequenceOf, textOf, wordOf } from '../../compiler/shape/values';
import { URGENCIES } from '../../plan/patterns/advice';
import type { ConsultSource } from './source';

/** Reads the question, and who is asked. */
export function readConsult(node: MappingNode, _step: StepSource, { report }: ReadContext): ConsultSource {
  const get = (key: string): Entry | undefined => entryOf(node, key);
  const work: ConsultSource = { kind: 'consult' };
  requireKey(node, 'topic', 'a step of kind "consult"', report, 'add `topic:`, what it is about, in a word');
  requireKey(node, 'question', 'a step of kind "consult"', report, 'add `question:`, what is asked');
  const [topic, question, context, options, urgency, consultants] = [
    ...(['topic', 'question', 'context', 'options', 'urgency', 'consultants'] as const),
  ].map(get);
  const named = topic && textOf(topic, report);
  if (named) work.topic = named;
  const asked = question && templateAt(question, report, true);
  if (asked) work.question = { template: asked };
  const about = context && formAt(context, report);
  if (about) work.context = about;
  if (options && sequenceOf(options, report, 'a list such as [bcrypt, argon2id]')) {
    const listed = formAt(options, report);
    if (listed) work.options = listed;
  }
  const word = urgency && wordOf(urgency, URGENCIES, report)?.value;
  if (word) work.urgency = word;
  if (consultants) readConsultants(work, consultants, report);
  for (const [key, name] of [
    ['fallback', 'fallback'],
    ['secondOpinion', 'second_opinion'],
  ] as const) {
    const entry = get(name);
    const agent = entry && textOf(entry, report);
    if (agent) work[key] = agent;
  }
  return work;
}

function readConsultants(work: ConsultSource, entry: Entry, report: Report): void {
  const found = mappingOf(entry, report, 'a mapping of topics to agents such as {security: sec_agent}');
  work.consultants = (found?.entries ?? []).map((item) => {
    const agent = textOf(item, report);
    return { topic: item.key, ...(agent ? { agent } : {}) };
  });
}
