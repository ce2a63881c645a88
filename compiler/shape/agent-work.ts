import type { Report } from '../diagnostics/diagnostic';
import type { TemplateSyntax } from '../expression/syntax';
import { RANGES } from '../language/ranges';
import { type Entry, entryOf, type MappingNode } from '../read/node';
import { readActions } from './action';
import { requireKey } from './keys';
import { listedNames } from './name-list';
import { readOutput } from './output';
import type { AgentWorkSource } from './source-parts';
import { templateAt, valueAt } from './template-value';
import { integerOf, mappingOf, textOf, wordOf } from './values';
import type { WrittenKind } from './vocabulary';

/** Reads the keys of an agent's task or review. */
export function readAgentWork<W extends AgentWorkSource & { kind: WrittenKind }>(work: W, node: MappingNode, report: Report): W {
  const get = (key: string): Entry | undefined => entryOf(node, key);
  const [agent, action, prompt, input, repair, onInvalid] = ['agent', 'action', 'prompt', 'input', 'repair', 'on_invalid'].map(get);
  const id = agent && textOf(agent, report);
  if (id) work.agent = id;
  const how = action && wordOf(action, ['spawn', 'self'], report);
  if (how?.value === 'self') work.self = how.at;
  if (!how || how.value === 'spawn')
    requireKey(node, 'agent', `a step of kind "${work.kind}"`, report, 'add `agent:`, or `action: self` for the owner');
  const template = prompt && textOf(prompt, report) && templateAt(prompt, report);
  if (template) work.prompt = template;
  if (input) work.input = readInput(input, report);
  readOutput(node, work, report);
  const tools = get('tools');
  const named = tools && listedNames(tools, report);
  if (named) work.tools = named;
  const cwd = get('cwd');
  const folder = cwd && textOf(cwd, report) && templateAt(cwd, report);
  if (folder) work.cwd = folder;
  const repairs = repair && integerOf(repair, RANGES.repair.min, RANGES.repair.max, report);
  if (repairs !== undefined) work.repair = repairs;
  const invalid = onInvalid && readActions(onInvalid, 'on_invalid', report);
  if (invalid) work.onInvalid = invalid;
  return work;
}

/** Reads `input: {name: value}`: texts with `${…}`, whole references, or plain JSON. */
function readInput(entry: Entry, report: Report): Map<string, TemplateSyntax> {
  const found = new Map<string, TemplateSyntax>();
  for (const item of mappingOf(entry, report, 'a mapping of names to values')?.entries ?? []) {
    const template = valueAt(item, report);
    if (template) found.set(item.key, template);
  }
  return found;
}
