import { beginning } from '../../plan/text/shortened';
import { emitItem } from '../streams/emit-item';
import { answer, refused, type Tool } from './tool';

/** How much of an item's schema is shown: an agent that needs more has it in its task. */
const SCHEMA_CHARACTERS = 8000;

/** An item for the loop over this step's stream. Others work on it at once. */
export const EMIT_ITEM: Tool = {
  description: ({ emits }) => {
    const { name = 'an item', schema = {}, maxItems = 0 } = emits ?? {};
    return (
      `Emits one ${name}, which others work on at once, while you go on. Emit each as soon as you have it, and each once; at most ${maxItems}. ` +
      `An item satisfies this JSON Schema: ${beginning(JSON.stringify(schema), SCHEMA_CHARACTERS)}`
    );
  },
  parameters: { type: 'object', required: ['item'], additionalProperties: false, properties: { item: {} } },
  unlisted: true,
  barred: ({ emits }) => (emits ? undefined : 'this step emits no items'),
  async call({ item = null }, { toolbox, items, idempotencyKey }) {
    if (!items) return refused('this step emits no items');
    const emitted = await emitItem(toolbox, items.stream, item, { id: idempotencyKey, from: { call: items.call } });
    if (emitted.kind === 'refused') return refused(`the item was not taken: ${emitted.problem}`);
    const status = emitted.kind === 'again' ? 'emitted before: it is not taken twice' : 'emitted';
    return { ...answer({ status }), effect: { emitted: true } };
  },
};
