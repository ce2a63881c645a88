import type { Report } from '../../compiler/diagnostics/diagnostic';
import { type Entry, entryOf, type MappingNode } from '../../compiler/read/node';
import { readMapping } from '../../compiler/shape/read-rows';
import type { StepSource } from '../../compiler/shape/source';
import { defined } from '../../plan/defined';
import { withPostMortem } from '../coordinate/task-file';
import { POST_MORTEM_ID } from './model';
import { MOST_ASKED } from './rules/spec';

/** What the file says of a post-mortem, or what follows from its steps. */
export function readLookBack(root: MappingNode, steps: readonly StepSource[], report: Report): StepSource | undefined {
  const entry = withPostMortem(root, steps);
  return entry && readPostMortem(entry, report);
}

/** `post_mortem: true`, or a mapping, as the step that it is in `finally`. Undefined for `false`. */
function readPostMortem(entry: Entry, report: Report): StepSource | undefined {
  const { value, keyAt: at } = entry;
  if (value.kind === 'scalar' && value.value === false) return undefined;
  const isPlain = value.kind === 'scalar' && value.value === true;
  const takes = 'true, or a mapping such as {when: notable, memory: team.md}';
  const written = isPlain ? undefined : readMapping(entry, 'post-mortem', { report }, { takes });
  if (!written && !isPlain) return undefined;
  const { by = [], timeoutMs } = written ?? {};
  if (by.length > MOST_ASKED) {
    const message = `"by" names ${by.length} agents; a post-mortem asks ${MOST_ASKED} at most`;
    report('shape.out-of-range', (written && entryOf(written.node, 'by')?.value.at) ?? at, message);
  }
  return { id: POST_MORTEM_ID, at, ...defined({ timeoutMs }), work: { kind: 'post_mortem', ...written } };
}
