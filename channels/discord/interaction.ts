import type { z } from 'zod';
import { buttonId, type PressedButton } from '../../client/callbacks/read-request';
import type { JsonObject } from '../../plan/text/json';
import { beginning, shortened } from '../../plan/text/shortened';
import { fields, listOf, number, text } from '../../records/outside-json';

/**
 * What Discord sends, and what it takes as an answer: its public documentation, *Receiving and Responding to Interactions*. Numbers are
 * Discord's.
 */

export const INTERACTION_TYPES = { ping: 1, command: 2, component: 3, modalSubmit: 5 } as const;

const USER = fields({ id: text });
const INPUT = fields({ custom_id: text, value: text });

export const INTERACTION = fields({
  type: number,
  id: text,
  application_id: text,
  token: text,
  /** Who pressed, on a server and in a direct message. */
  member: fields({ user: USER }),
  user: USER,
  data: fields({
    name: text,
    custom_id: text,
    options: listOf(fields({ name: text, value: text })),
    /** A modal's inputs, in both layouts that Discord knows. */
    components: listOf(fields({ components: listOf(INPUT), component: INPUT })),
  }),
  message: fields({ content: text, flags: number }).optional(),
});

export type Interaction = z.infer<typeof INTERACTION>;

/** The text written into a modal, by the id of its input. */
export function modalText({ data }: Interaction, id: string): string | undefined {
  const inputs = data.components.flatMap(({ components, component }) => [...components, component]);
  return inputs.find(({ custom_id, value = '' }) => custom_id === id && value.trim() !== '')?.value;
}

/** Our answers. */
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
  return {
    type: REPLY.message,
    data: { content: shortened(text, CONTENT_CHARACTERS), flags: EPHEMERAL, allowed_mentions: MENTIONS_NOBODY },
  };
}

/** Promises words that will follow. */
export const DEFERRED: JsonObject = { type: REPLY.later, data: { flags: EPHEMERAL } };

/** Replaces the promise by the words. */
export function followUp(text: string): JsonObject {
  return { content: shortened(text, CONTENT_CHARACTERS), allowed_mentions: MENTIONS_NOBODY };
}

/** Changes the asking message to show the decision, without buttons. Undefined if it cannot be changed. */
export function update({ message }: Interaction, line: string): JsonObject | undefined {
  if (message === undefined || ((message.flags ?? 0) & COMPONENTS_V2) !== 0) return undefined;
  const before = message.content ?? '';
  const kept = beginning(before, CONTENT_CHARACTERS - line.length - 2);
  const content = shortened(kept === '' ? line : `${kept}\n\n${line}`, CONTENT_CHARACTERS);
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
      title: beginning(title, TITLE_CHARACTERS),
      components: [{ type: COMPONENT.label, label: beginning(asks.label, TITLE_CHARACTERS), component: input }],
    },
  };
}
