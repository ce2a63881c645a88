import type { Report } from '../diagnostics/diagnostic';
import { entryOf, type MappingNode } from '../read/node';
import { readWho } from './policy';
import type { GateSource } from './source-parts';
import { templateAt } from './template-value';
import { namesOf, textOf } from './values';

export function readGate(node: MappingNode, work: GateSource, report: Report): void {
  readWho(node, work, report);
  const [prompt, show] = ['prompt', 'show'].map((key) => entryOf(node, key));
  const question = prompt && textOf(prompt, report) && templateAt(prompt, report);
  if (question) work.prompt = question;
  const shown = show && namesOf(show, report);
  if (shown) work.show = shown;
}
