import { INDEX_VAR, ITEM_VAR } from '../../kinds/for-each/model';
import { goesOverItems } from '../../kinds/questions';
import type { Report } from '../diagnostics/diagnostic';
import type { Place, Places } from '../places';
import type { ForEachSource, PipelineSource } from '../shape/source';

/** A step, an arg and a loop's variable may not share a name: an expression could not distinguish them. */
export function checkClashes({ args }: PipelineSource, places: Places, report: Report): void {
  for (const [id, { step }] of places.byId) {
    if (args.has(id)) report('names.clash', step.at, `an arg is called "${id}" too`, 'rename one of the two');
  }
  for (const place of places.byId.values()) {
    const { work } = place.step;
    if (work && goesOverItems(work)) checkLoop(place, work, args, places, report);
  }
}

function checkLoop(loop: Place, work: ForEachSource, args: PipelineSource['args'], places: Places, report: Report): void {
  const [itemVar, indexVar] = [work.itemVar?.value ?? ITEM_VAR, work.indexVar?.value ?? INDEX_VAR];
  const variables = [
    { name: itemVar, at: work.itemVar?.at ?? loop.step.at, key: 'item_var' },
    { name: indexVar, at: work.indexVar?.at ?? loop.step.at, key: 'index_var' },
  ];
  for (const { name, at, key } of variables) {
    const other = places.byId.has(name) ? 'a step' : args.has(name) ? 'an arg' : undefined;
    if (other)
      report('names.clash', at, `${other} is called "${name}", as a variable of the loop "${loop.step.id}"`, `name it with \`${key}:\``);
  }
  if (itemVar === indexVar)
    report('names.clash', work.indexVar?.at ?? loop.step.at, `item and index are both called "${itemVar}"`, 'rename one');
  for (const { step } of loop.inner?.places ?? []) {
    if (step.id !== ITEM_VAR && step.id !== INDEX_VAR) continue;
    if (step.id === itemVar || step.id === indexVar) continue;
    report('names.clash', step.at, `the output of the loop already has a field "${step.id}"`, 'rename the step');
  }
}
