import type { AnswerSchema } from '../../../plan/patterns/answer-schema';
import type { OutputSpec } from '../../../plan/steps/step-base';
import { field, isJsonObject, type Json, type JsonObject } from '../../../plan/text/json';
import { listWords } from '../../diagnostics/suggest';
import type { StepContext } from '../step-context';
import { partOutput } from './part-steps';

/**
 * The schema of an agent's answer in a pattern: the one that comes with the program and, if the pipeline has one of the same name, that one
 * too. An answer satisfies both, so that the pattern always finds the fields it reads.
 */
export function answerOutput(name: string, builtIn: AnswerSchema, here: StepContext): OutputSpec {
  return partOutput(here, name, withOwn(`${name}.json`, builtIn, here));
}

function withOwn(name: string, builtIn: AnswerSchema, { place, context }: StepContext): Json | object {
  const found = context.schemas.of({ output: { value: name, at: place.step.at } });
  if (!found || !('json' in found) || !isJsonObject(found.json)) return builtIn;
  const own = found.json;
  const left = isClosed(own) ? builtIn.required.filter((key) => field(field(own, 'properties'), key) === undefined) : [];
  if (left.length > 0) {
    const message = `the pipeline’s schema "${name}" does not take ${listWords(left)}, which step "${place.step.id}" needs`;
    context.report('schema.leaves-out', place.step.at, message, 'list it under `properties`, or leave out `additionalProperties: false`');
  }
  // Its own references resolve against its own root.
  return { ...own, allOf: [...allOf(own), builtIn] };
}

function isClosed(schema: JsonObject): boolean {
  return field(schema, 'additionalProperties') === false;
}

function allOf(schema: JsonObject): Json[] {
  const listed = field(schema, 'allOf');
  return Array.isArray(listed) ? listed : [];
}
