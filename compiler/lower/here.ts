import type { Template } from '../../plan/expression';
import type { Block, Step, StepBase } from '../../plan/step';
import type { TemplateSyntax } from '../expression/syntax';
import type { BlockPlace, Place } from '../places';
import { type Context, templateOf } from './context';
import type { NamesOptions } from './names';

/** One step on its way into the plan: its place, and the templates that it has been found to render. */
export interface Here {
  place: Place;
  /** What the step has whatever its kind. */
  base: StepBase;
  context: Context;
  templates: Template[];
  template(syntax: TemplateSyntax | undefined, options?: NamesOptions): Template | undefined;
  /** Lowers the block that the step holds. */
  inner(block: BlockPlace): Block;
}

export function hereOf(place: Place, base: StepBase, context: Context, inner: Here['inner']): Here {
  const templates: Template[] = [];
  return {
    place,
    base,
    context,
    templates,
    inner,
    template(syntax, options) {
      const found = templateOf(syntax, place, context, options);
      if (found) templates.push(found);
      return found;
    },
  };
}

export interface LoweredStep {
  step: Step;
  /** Steps whose outputs it takes beside those its templates name. */
  inputs?: readonly string[];
}
