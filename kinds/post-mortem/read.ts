import type { Report } from '../../compiler/diagnostics/diagnostic';
import { type Entry, entryOf, type MappingNode } from '../../compiler/read/node';
import { checkKeys } from '../../compiler/shape/keys';
import type { StepSource } from '../../compiler/shape/source';
import { durationOf, mappingOf, namesOf, textOf, wordOf } from '../../compiler/shape/values';
import { keysOf } from '../../compiler/shape/vocabulary';
import { withPostMortem } from '../coordinate/task-file';
import { POST_MORTEM_ID } from './model';
import { MOST_ASKED, OCCASIONS } from './rules/spec';
import type { PostMortemSource } from './source';

/** What the file says of a post-mortem, or what follows from its steps. */
export function readLookBack(root: MappingNode, steps: readonly StepSource[], report: Report): StepSource | undefined {
  const entry = withPostMortem(root, steps);
  return entry && readPostMortem(entry, report);
}

/** `post_mortem: true`, or a mapping, as the step that it is in `finally`. Undefined for `false`. */
function readPostMortem(entry: Entry, report: Report): StepSource | undefined {
  const { value, keyAt: at } = entry;
  const work: PostMortemSource = { kind: 'post_mortem' };
  const step: StepSource = { id: POST_MORTEM_ID, at, work };
  if (value.kind === 'scalar' && typeof value.value === 'boolean') return value.value ? step : undefined;
  const node = mappingOf(entry, report, 'true, or a mapping such as {when: notable, memory: team.md}');
  if (!node) return undefined;
  checkKeys(node, { what: '"post_mortem"', known: keysOf('post-mortem') }, report);
  const [when, by, timeout] = ['when', 'by', 'timeout'].map((key) => entryOf(node, key));
  const occasion = when && wordOf(when, OCCASIONS, report);
  if (occasion) work.occasion = occasion.value;
  const names = by && namesOf(by, report);
  if (names) work.by = names;
  if (by && names && names.length > MOST_ASKED)
    report('shape.out-of-range', by.value.at, `"by" names ${names.length} agents; a post-mortem asks ${MOST_ASKED} at most`);
  const timeoutMs = timeout && durationOf(timeout, report);
  if (timeoutMs !== undefined) step.timeoutMs = timeoutMs;
  for (const key of ['write', 'memory', 'guidelines'] as const) {
    const file = entryOf(node, key);
    const path = file && textOf(file, report);
    if (path) work[key] = path;
  }
  return step;
}
