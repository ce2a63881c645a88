import type { z } from 'zod';
import { fields, listOf, number, text } from '../../records/outside-json';

/** What Discord sends (its public documentation, *Receiving and Responding to Interactions*). Numbers are Discord's. */
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
