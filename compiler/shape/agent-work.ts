import type { Report } from '../diagnostics/diagnostic';
import type { TemplateSyntax } from '../expression/syntax';
import { RANGES } from '../language/ranges';
import { type Entry, entryOf, type MappingNode } from '../read/node';
import { readActions } from './action';
import { requireKey } from './keys';
import { listedNames } from './name-list';
import { readOutput } from './output';
import type { AgentSource } from './source';
import { templateAt, valueAt } from './template-value';
import { integerOf, mappingOf, textOf, wordOf } from './values';

/** What an agent does, or judges by. */
export function readAgent(kind: 'agent' | 'review', node: MappingNode, report: Report): AgentSource {
  const get = (key: string): Entry | undefined => entryOf(node, key);
  const work: AgentSource = { kind };
  const [agent, action, prompt, input, repair, onInvalid] = ['agent', 'action', 'prompt', 'input', 'repair', 'on_invalid'].map(get);
  const id = agent && textOf(agent, report);
  if (id) work.agent = id;
  const how = action && wordOf(action, ['spawn', 'self'], report);
  if (how?.value === 'self') work.self = how.at;
  if (!how || how.value === 'spawn')
    requireKey(node, 'agent', `a step of kind "${kind}"`, report, 'add `agent:`, or `action: self` for the owner');
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
  if (kind === 'review') readReview(node, work, report);
  return work;
}

function readReview(node: MappingNode, work: AgentSource, report: Report): void {
  const [of, onRevise, onBlock] = [entryOf(node, 'of'), entryOf(node, 'on_revise'), entryOf(node, 'on_block')];
  const judged = of && textOf(of, report);
  if (judged) work.of = judged;
  const revise = onRevise && readActions(onRevise, 'on_revise', report);
  if (revise && revise.length > 1)
    report('action.not-here', revise[1]?.at ?? onRevise.keyAt, '"on_revise" takes one action', 'keep the retry');
  const retry = revise?.find((action) => action.kind === 'retry');
  if (retry) work.onRevise = retry;
  const block = onBlock && readActions(onBlock, 'on_block', report);
  if (block) work.onBlock = block;
  const [critic, stall] = [entryOf(node, 'critic'), entryOf(node, 'stall_rounds')];
  const second = critic && textOf(critic, report);
  if (second) work.critic = second;
  const rounds = stall && integerOf(stall, RANGES.stallRounds.min, RANGES.stallRounds.max, report);
  if (rounds !== undefined) work.stallRounds = rounds;
  if (stall && !onRevise)
    report('shape.missing-key', stall.keyAt, '"stall_rounds" stands without an "on_revise"', 'add `on_revise: retry(step, max=3)`');
}

/** `input: {name: value}`: texts with `${…}`, whole references, or plain JSON. */
function readInput(entry: Entry, report: Report): Map<string, TemplateSyntax> {
  const found = new Map<string, TemplateSyntax>();
  for (const item of mappingOf(entry, report, 'a mapping of names to values')?.entries ?? []) {
    const template = valueAt(item, report);
    if (template) found.set(item.key, template);
  }
  return found;
}
