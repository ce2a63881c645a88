import { entryOf, type MappingNode } from '../../compiler/read/node';
import type { ReadContext } from '../../compiler/shape/read-context';
import type { StepSource } from '../../compiler/shape/source';
import { textOf } from '../../compiler/shape/values';
import { defined } from '../../plan/defined';
import type { BriefStepSource } from './source';

export function readBriefStep(node: MappingNode, _step: StepSource, { report }: ReadContext): BriefStepSource {
  const [brief, roles] = [entryOf(node, 'brief'), entryOf(node, 'roles')];
  if (!brief) return {};
  if (brief.value.kind === 'mapping') return { written: { inline: brief.value }, ...defined({ roles }) };
  const file = textOf(brief, report);
  return file ? { written: { file }, ...defined({ roles }) } : {};
}
