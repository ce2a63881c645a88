/** What parts are given, by these names: no step and no input of an author's own is called so. */

/** What a phase has delivered. */
export const deliverableOf = (phase: string): string => `delivered.${phase}`;

/** What the last check of a point has found. */
export const ALIGNMENT_DOCUMENT = 'alignment.last';
