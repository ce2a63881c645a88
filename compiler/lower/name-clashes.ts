import type { StepPosition } from '../step-positions';
import type { Loop } from './loop-variable';
import type { LowerContext } from './lower-context';

/** A step, an arg and a loop's variable may not share a name: an expression could not tell them apart. */
export function checkNameClashes(context: LowerContext, loopAt: (place: StepPosition) => Loop | undefined): void {
  const { pipeline, places, report } = context;
  for (const [id, { step }] of places.byId) {
    if (pipeline.args.has(id)) report('names.clash', step.at, `an arg is called "${id}" too`, 'rename one of the two');
  }
  for (const place of places.byId.values()) {
    const loop = loopAt(place);
    if (loop) checkLoop(place, loop, context);
  }
}

function checkLoop(place: StepPosition, { variables, fields }: Loop, { pipeline: { args }, places, report }: LowerContext): void {
  for (const [i, { name, at, key }] of variables.entries()) {
    const other = places.byId.has(name) ? 'a step' : args.has(name) ? 'an arg' : undefined;
    if (other)
      report(
        'names.clash',
        at,
        `${other} is called "${name}", which is also a variable of the loop "${place.step.id}"`,
        `name it with \`${key}:\``,
      );
    const twin = variables.slice(0, i).find((before) => before.name === name);
    if (twin) report('names.clash', at, `${twin.key} and ${key} are both "${name}"`, 'rename one');
  }
  for (const { step } of place.inner?.places ?? []) {
    if (!fields.includes(step.id) || variables.some(({ name }) => name === step.id)) continue;
    report('names.clash', step.at, `the output of the loop already has a field "${step.id}"`, 'rename the step');
  }
}
