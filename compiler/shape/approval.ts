import type { Report } from '../diagnostics/diagnostic';
import { foreignWordHint } from '../language/foreign-word-hint';
import { type Entry, entryOf, type MappingNode } from '../read/node';
import { readActions } from './action';
import { readMapping } from './read-rows';
import type { StepSource } from './source';
import type { AfterApprovalSource } from './source-parts';
import { templateAt } from './template-value';
import { textOf, wrongType } from './values';

/** Reads `approval:` of a step that does something: `true`, Lobster's `required`, the question, or a mapping. */
export function readAfterApproval(node: MappingNode, step: StepSource, report: Report): void {
  const [entry, onReject] = [entryOf(node, 'approval'), entryOf(node, 'on_reject')];
  const asked = entry && readForm(entry, report);
  if (asked) step.approval = asked;
  if (!onReject) return;
  const rejected = readActions(onReject, 'on_reject', report);
  if (asked && rejected) asked.onReject = rejected;
  else if (!entry) report('shape.missing-key', onReject.keyAt, '"on_reject" requires an "approval"', 'add `approval: true`');
}

function readForm(entry: Entry, report: Report): AfterApprovalSource | undefined {
  const { value, key } = entry;
  if (value.kind === 'scalar') {
    if (value.value === false) return undefined;
    if (value.value === true || value.value === 'required') return {};
    const answer = foreignWordHint('true or false', value.text);
    if (answer !== undefined) return wrongType(value, key, 'true, a question or a mapping such as {prompt, preview}', report, answer);
    const prompt = textOf(entry, report) && templateAt(entry, report);
    return prompt ? { prompt } : undefined;
  }
  const takes = 'true, a question or a mapping such as {prompt, preview}';
  return readMapping(entry, 'approval', { report }, { takes });
}
