import type { Template } from '../../plan/expressions/expression';
import type { Action } from '../../plan/steps/action';
import type { Block, Step, StepBase } from '../../plan/steps/step';
import type { TemplateSyntax } from '../expression/syntax';
import type { ActionKey } from '../language/actions';
import type { ActionSource } from '../shape/action';
import type { BlockPosition, StepPosition } from '../step-positions';
import { lowerActions } from './action';
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
  actions(written: ActionSource[] | undefined, key: ActionKey): Action[] | undefined;
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
    actions: (written, key) => written && lowerActions(written, key, place, context),
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
