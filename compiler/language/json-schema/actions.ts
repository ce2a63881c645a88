import { DECIDERS } from '../../../plan/action';
import type { JsonObject } from '../../../plan/json';
import { ACTIONS, ACTIONS_OF, type ActionKey, type ActionName } from '../actions';
import { RANGES } from '../ranges';

/** What an `on_…` key takes: a word, a call as text, a call as an object, or a list of those. */
export function actionsSchema(key: ActionKey): JsonObject {
  const names: readonly ActionName[] = ACTIONS_OF[key];
  const words = names.filter((name) => ACTIONS[name].form === 'word');
  const calls = names.filter((name) => ACTIONS[name].form === 'call');
  const one: JsonObject[] = [];
  if (words.length > 0) one.push({ type: 'string', enum: words });
  if (calls.length > 0) one.push({ type: 'string', pattern: `^\\s*(${calls.join('|')})\\s*\\(.*\\)\\s*$` }, ...calls.map(objectForm));
  return { description: describeActions(names), anyOf: [...one, { type: 'array', minItems: 1, items: { anyOf: one } }] };
}

function objectForm(name: ActionName): JsonObject {
  const target: JsonObject = { type: 'string', pattern: '\\S' };
  const properties: JsonObject =
    name === 'retry'
      ? { retry: target, max: { type: 'integer', minimum: RANGES.rounds.min, maximum: RANGES.rounds.max } }
      : { [name]: target, ...(name === 'escalate' ? { decides: { type: 'string', enum: [...DECIDERS] } } : {}) };
  return { type: 'object', description: ACTIONS[name].meaning, properties, required: [name], additionalProperties: false };
}

function describeActions(names: readonly ActionName[]): string {
  return names.map((name) => `${ACTIONS[name].written[0]}: ${ACTIONS[name].meaning}.`).join('\n');
}
