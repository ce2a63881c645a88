import { defined } from '../../../plan/defined';
import type { Template } from '../../../plan/expressions/expression';
import type { Sha256 } from '../../../plan/run/artifact';
import { partId } from '../../../plan/steps/part-id';
import type { OutputSpec, StepBase } from '../../../plan/steps/step-base';
import type { Json } from '../../../plan/text/json';
import type { SourceSpan } from '../../diagnostics/diagnostic';
import type { StepContext } from '../step-context';

/** The parts of a step: steps that its code runs in turns, and that a reader of the file does not see. Each has the id `<step>_<part>`. */

/** What a part takes over from its step: where it is done, and how urgent it is. */
export function partBase({ base }: Pick<StepContext, 'base'>, part: string): StepBase {
  const { id, queue, priority } = base;
  return { id: partId(id, part), ...defined({ queue, priority }) };
}

export function partPrompt({ base, context }: Pick<StepContext, 'base' | 'context'>, part: string, template: Template): Sha256 {
  return context.blobs.add(template, `${partId(base.id, part)}.prompt.json`);
}

/** A value that the code of a step gives to a part, under a name of its own. */
export function given(name: string, ...path: string[]): Template[number] {
  return { kind: 'output', step: name, path };
}

/** @param name without `.json` */
export function partOutput({ context }: Pick<StepContext, 'context'>, name: string, schema: Json | object): OutputSpec {
  return { name: `${name}.json`, schema: context.blobs.add(schema, `${name}.schema.json`, 'application/schema+json') };
}

/**
 * Checks the parts' ids: parts are steps of the plan, so their ids must be unique there. `called`: the part in the step's own words. `at`:
 * where its name is written.
 */
export function checkPartIds({ place, context }: StepContext, parts: readonly { part: string; called: string; at?: SourceSpan }[]): void {
  const { step } = place;
  const seen = new Map<string, string>();
  for (const { part, called, at } of parts) {
    const id = partId(step.id, part);
    const twice = seen.get(id);
    const kind = step.work?.kind ?? 'step';
    if (twice !== undefined)
      context.report(
        'step.duplicate-id',
        at ?? step.at,
        `"${id}" would be ${twice} and ${called} in the ${kind} step "${step.id}"`,
        GIVE_ANOTHER,
      );
    seen.set(id, called);
    const other = context.places.byId.get(id);
    if (other)
      context.report('step.duplicate-id', other.step.at, `"${id}" is what the ${kind} step "${step.id}" calls ${called}`, GIVE_ANOTHER);
  }
}

const GIVE_ANOTHER = 'give one of the two another id';
