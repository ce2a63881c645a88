import type { Template } from '../../plan/expressions/expression';
import type { Block, Step, StepBase } from '../../plan/steps/step';
import type { TemplateSyntax } from '../expression/syntax';
import type { BlockPosition, StepPosition } from '../step-positions';
import { type TemplateOptions, templateOf } from './context';
import type { LowerContext } from './lower-context';

/** One step on its way into the plan: its place, and the templates that it was found to render. */
export interface StepContext {
  place: StepPosition;
  /** The fields that every step has, whatever its kind. */
  base: StepBase;
  context: LowerContext;
  templates: Template[];
  template(syntax: TemplateSyntax | undefined, options?: TemplateOptions): Template | undefined;
  /** Lowers the block that the step holds. */
  inner(block: BlockPosition): Block;
}

export function stepContextOf(place: StepPosition, base: StepBase, context: LowerContext, inner: StepContext['inner']): StepContext {
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
  /** Steps whose outputs it takes in addition to those that its templates name. */
  inputs?: readonly string[];
}
