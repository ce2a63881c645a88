import { entryOf, type MappingNode } from '../../compiler/read/node';
import { checkKeys } from '../../compiler/shape/keys';
import type { ReadContext } from '../../compiler/shape/read-context';
import { readRows } from '../../compiler/shape/read-rows';
import type { StepSource } from '../../compiler/shape/source';
import { conflict, mappingOf } from '../../compiler/shape/values';
import { ALL_STEP_KEYS, bodyKeys } from '../../compiler/shape/vocabulary';
import { REPEAT_KIND } from './keys';
import type { RepeatSourceOf } from './source';

/** A block in rounds, whose keys are in a mapping of their own. `timeout` is next to it or within it: it is one for all rounds. */
export function readRepeat(node: MappingNode, step: StepSource, reading: ReadContext): RepeatSourceOf<StepSource> {
  const { report } = reading;
  const entry = entryOf(node, 'repeat');
  const body = entry && mappingOf(entry, report, 'a mapping such as {until: …, max: 5, steps: […]}');
  if (!body) return {};
  checkKeys(body, { what: '"repeat"', known: bodyKeys('repeat'), elsewhere: ALL_STEP_KEYS }, report);
  const { node: _, timeoutMs, ...source } = readRows(body, REPEAT_KIND.body, '"repeat"', reading);
  const [outer, inner] = [node, body].map((of) => entryOf(of, 'timeout') ?? entryOf(of, 'timeout_ms'));
  if (outer && inner) conflict(outer, inner, report);
  else if (timeoutMs !== undefined) step.timeoutMs = timeoutMs;
  return source;
}
