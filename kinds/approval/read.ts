import type { Report } from '../../compiler/diagnostics/diagnostic';
import { type Entry, entryOf, type MappingNode } from '../../compiler/read/node';
import { readActions } from '../../compiler/shape/action';
import { readGate } from '../../compiler/shape/gate';
import { readPolicy } from '../../compiler/shape/policy';
import type { ReadContext } from '../../compiler/shape/read-context';
import type { StepSource } from '../../compiler/shape/source';
import { templateAt } from '../../compiler/shape/template-value';
import { namesOf, textOf } from '../../compiler/shape/values';
import { TIMEOUT_OUTCOMES } from '../../plan/people/decision-policy';
import { CHOICE_WORD } from '../../plan/people/gate';
import type { ApprovalSource } from './source';

/** A gate at which a person says yes or no. */
export function readApproval(node: MappingNode, _step: StepSource, { report }: ReadContext): ApprovalSource {
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

function readChoices(entry: Entry, report: Report): string[] | undefined {
  const named = namesOf(entry, report);
  if (!named) return undefined;
  if (named.length === 0 && entry.value.kind === 'sequence' && entry.value.items.length === 0)
    report('shape.out-of-range', entry.value.at, '"choices" is empty: nothing could be answered', 'list the answers, or remove the key');
  for (const { value, at } of named) {
    if (!CHOICE_WORD.test(value)) report('names.invalid', at, `"${value}" is not a valid name for a choice`, 'write a word such as revise');
  }
  return named.length > 0 ? [...new Set(named.map(({ value }) => value))] : undefined;
}
