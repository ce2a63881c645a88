import type { Template } from '../../../plan/expressions/expression';
import type { PipelineStep } from '../../../plan/steps/step';
import { jsonOf } from '../../read/json';
import { entryOf, type MappingNode, type ScalarNode } from '../../read/node';
import { textTemplate } from '../text/template';
import { type LobsterContext, type LobsterScope, namesAt, type StepDraft } from './context';
import { commandEnvironmentOf } from './environment';

/** Reads `workflow` and `workflow_args`: another file, its path relative to the folder of this one. */
export function childStep(path: ScalarNode, { node, base, place, templates, context }: StepDraft): PipelineStep | undefined {
  const given = argumentsOf(node, place, context);
  const surroundings = commandEnvironmentOf(place, templates, context);
  templates.push(...given.values());
  const [only, more] = textTemplate(path.text, namesAt(path, place, context));
  if (typeof only !== 'string' || more !== undefined) {
    const message = `${place.who(base.as ?? base.id)} workflow "${path.text}" is known only when the run is there`;
    context.report('lobster.dynamic-child', path.at, message, 'write the path out: a child is compiled with its parent');
    return undefined;
  }
  const child = context.include({ value: only.trim(), at: path.at }, place.who(base.as ?? base.id));
  if (!child) return undefined;
  const step: PipelineStep = { ...base, kind: 'pipeline', pipeline: child.plan.name, plan: child.planSha256, ...surroundings };
  if (given.size > 0) step.with = context.blobs.add(Object.fromEntries(given), `${base.id}.args.json`);
  return step;
}

/** The child's arguments. Texts are templates and remain text; anything else stays as it is. */
function argumentsOf(node: MappingNode, place: LobsterScope, context: LobsterContext): Map<string, Template> {
  const entry = entryOf(node, 'workflow_args');
  if (!entry) return new Map();
  if (entry.value.kind !== 'mapping') {
    const who = place.who(idOf(node));
    context.report('lobster.bad-value', entry.value.at, `${who} workflow_args must be a plain object`, 'write names with their values');
    return new Map();
  }
  return new Map(
    entry.value.entries.map(({ key, value }): [string, Template] => {
      if (value.kind === 'scalar' && typeof value.value === 'string')
        return [key, textTemplate(value.text, namesAt(value, place, context))];
      return [key, [{ kind: 'literal', value: jsonOf(value) }]];
    }),
  );
}

function idOf(node: MappingNode): string {
  const id = entryOf(node, 'id')?.value;
  return id?.kind === 'scalar' ? id.text : '';
}
