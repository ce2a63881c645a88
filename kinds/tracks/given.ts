/** The names of parts' inputs: no step and no input of an author's own has such a name. */

/** What a phase has delivered. */
export const deliverableOf = (phase: string): string => `delivered.${phase}`;

/** The last check's findings at a point. */
export const ALIGNMENT_DOCUMENT = 'alignment.last';
