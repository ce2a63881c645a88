import { buttonId, type PressedButton } from '../../client/callbacks/button';
import { listAt, textAt } from '../../client/callbacks/json-fields';
import { field, type Json, type JsonObject } from '../../plan/text/json';

/** Our answers to Discord (its public documentation, *Receiving and Responding to Interactions*). Numbers are Discord's. */
export const INTERACTION = { ping: 1, command: 2, component: 3, modalSubmit: 5 } as const;
const REPLY = { pong: 1, message: 4, later: 5, update: 7, modal: 9 } as const;
const COMPONENT = { textInput: 4, label: 18 } as const;
const EPHEMERAL = 64;
/** A message with this flag has no content that could be changed. */
const COMPONENTS_V2 = 1 << 15;
const CONTENT_CHARACTERS = 2_000;
const TITLE_CHARACTERS = 45;
const INPUT_CHARACTERS = 1_000;
const MENTIONS_NOBODY = { parse: [] };
const PARAGRAPH = 2;

export const PONG: JsonObject = { type: REPLY.pong };

/** Words that only the person who pressed sees. */
export function ephemeral(text: string): JsonObject {
  return { type: REPLY.message, data: { content: cut(text), flags: EPHEMERAL, allowed_mentions: MENTIONS_NOBODY } };
}

/** Promises words that will follow. */
export const DEFERRED: JsonObject = { type: REPLY.later, data: { flags: EPHEMERAL } };

/** Replaces the promise by the words. */
export function followUp(text: string): JsonObject {
  return { content: cut(text), allowed_mentions: MENTIONS_NOBODY };
}

/** Changes the asking message to show the decision, without buttons. Undefined if it cannot be changed. */
export function update(interaction: JsonObject, line: string): JsonObject | undefined {
  const message = field(interaction, 'message');
  const flags = field(message, 'flags');
  if (message === undefined || (typeof flags === 'number' && (flags & COMPONENTS_V2) !== 0)) return undefined;
  const before = textAt(message, 'content') ?? '';
  const kept = before.slice(0, CONTENT_CHARACTERS - line.length - 2);
  const content = cut(kept === '' ? line : `${kept}\n\n${line}`);
  return { type: REPLY.update, data: { content, components: [], allowed_mentions: MENTIONS_NOBODY } };
}

/** Asks for words before the choice is taken. */
export function modal(
  button: PressedButton,
  title: string,
  asks: { id: 'comment' | 'response'; label: string; required: boolean },
): JsonObject {
  const input = { type: COMPONENT.textInput, custom_id: asks.id, style: PARAGRAPH, required: asks.required, max_length: INPUT_CHARACTERS };
  return {
    type: REPLY.modal,
    data: {
      custom_id: buttonId(button),
      title: title.slice(0, TITLE_CHARACTERS),
      components: [{ type: COMPONENT.label, label: asks.label.slice(0, TITLE_CHARACTERS), component: input }],
    },
  };
}

/** The text written into a modal, by the id of its input; reads both layouts that Discord knows. */
export function modalText(interaction: JsonObject, id: string): string | undefined {
  const rows = listAt(interaction, 'data', 'components');
  const inputs = rows.flatMap((row): Json[] => [...listAt(row, 'components'), field(row, 'component') ?? null]);
  const written = inputs.map((input) => (textAt(input, 'custom_id') === id ? textAt(input, 'value') : undefined));
  return written.find((text) => text !== undefined && text.trim() !== '');
}

function cut(text: string): string {
  return text.length <= CONTENT_CHARACTERS ? text : `${text.slice(0, CONTENT_CHARACTERS - 1)}…`;
}
