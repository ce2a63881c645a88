import type { Trigger } from '../../plan/plan';
import type { Located, Report } from '../diagnostics/diagnostic';
import { readExpression } from '../expression/template';
import { type Entry, entryOf, type MappingNode } from '../read/node';
import { readArgs } from './args';
import { readRequiresApproval } from './category';
import { readChannels } from './channels';
import { readDefaults } from './defaults';
import { readEnv } from './environment';
import { checkKeys, headOf, requireKey } from './keys';
import { FILE_FORMS, FILE_STEPS } from './kinds';
import { readMemory } from './memory';
import { checkName } from './names';
import { readMapping } from './read-rows';
import type { PipelineShape } from './source';
import { readSteps } from './step';
import { readLevel, type TargetSource } from './target';
import { templateAt } from './template-value';
import { readTrigger } from './trigger';
import { mappingOf, textOf, wrongType } from './values';
import { FILE_KEYS, FILE_KEYS_LATER } from './vocabulary';

/** Reads a whole pipeline file. A mistake in one place does not keep the others from being read. */
export function readPipeline(written: MappingNode, report: Report): PipelineShape {
  const root = FILE_FORMS.reduce((file, form) => form(file), written);
  const get = (key: string): Entry | undefined => entryOf(root, key);
  checkKeys(root, { what: 'a pipeline', known: FILE_KEYS, later: FILE_KEYS_LATER, place: 'key of a file' }, report);
  requireKey(root, 'name', 'the pipeline', report);
  requireKey(root, 'steps', 'the pipeline', report);

  const manual: Trigger = { kind: 'manual' };
  const [trigger, args, steps, last, limits] = ['trigger', 'args', 'steps', 'finally', 'limits'].map(get);
  const defaults = readDefaults(get('defaults'), report);
  const pipeline: PipelineShape = {
    trigger: trigger ? readTrigger(trigger, report) : manual,
    args: args ? readArgs(args, report) : new Map(),
    agents: namedEntries(get('agents'), 'a mapping of ids to definitions or paths', report),
    schemas: namedEntries(get('schemas'), 'a mapping of outputs to schemas or paths', report),
    ...readChannels(get('channels'), report),
    limits: (limits && readMapping(limits, 'limits', { report })) ?? {},
    steps: steps ? readSteps(steps, defaults, report) : [],
    at: headOf(root),
  };
  if (last) pipeline.finally = readSteps(last, defaults, report);
  const added = FILE_STEPS.flatMap((read) => read(root, pipeline.steps, report) ?? []);
  if (added.length > 0) pipeline.finally = [...(pipeline.finally ?? []), ...added];
  for (const [id, { keyAt }] of pipeline.agents) checkName({ value: id, at: keyAt }, 'agent', report);
  readHead(root, pipeline, report);
  return pipeline;
}

/** Reads what the file says of itself, and of all its steps. */
function readHead(root: MappingNode, pipeline: PipelineShape, report: Report): void {
  const get = (key: string): Entry | undefined => entryOf(root, key);
  const [name, description, owner, escalation, output] = ['name', 'description', 'owner', 'escalation', 'output'].map(get);
  const [env, cwd, budget] = [get('env'), get('cwd'), get('budget')];
  const called = name && textOf(name, report);
  if (called && checkName(called, 'pipeline', report)) pipeline.name = called;
  const text = description && textOf(description, report);
  if (text) pipeline.description = text;
  const owned = owner && textOf(owner, report);
  if (owned) pipeline.owner = owned;
  if (env) pipeline.env = readEnv(env, report);
  const folder = cwd && textOf(cwd, report) && templateAt(cwd, report);
  if (folder) pipeline.cwd = folder;
  const ceilings = budget && readMapping(budget, 'budget', { report });
  if (ceilings) pipeline.budget = ceilings;
  const learned = get('memory');
  const memory = learned && readMemory(learned, report);
  if (memory) pipeline.memory = memory;
  const approvals = get('requires_approval');
  if (approvals) pipeline.requiresApproval = readRequiresApproval(approvals, report);
  if (escalation) pipeline.escalation = readEscalation(escalation, report);
  if (output && output.value.kind !== 'scalar') wrongType(output.value, 'output', 'an expression', report);
  const result = output?.value.kind === 'scalar' ? readExpression(output.value, report) : undefined;
  if (result) pipeline.output = result;
}

function namedEntries(entry: Entry | undefined, expected: string, report: Report): Map<string, Entry> {
  const entries = entry && mappingOf(entry, report, expected)?.entries;
  return new Map((entries ?? []).map((item) => [item.key, item]));
}

function readEscalation(entry: Entry, report: Report): Located<TargetSource>[] {
  const items = entry.value.kind === 'sequence' ? entry.value.items : [entry.value];
  if (items.length === 0) report('shape.out-of-range', entry.value.at, '"escalation" is empty', 'name somebody, or remove the key');
  return items.flatMap((value) => {
    const level = readLevel(value, entry, report);
    return level ? [level] : [];
  });
}
